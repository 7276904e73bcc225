import { check, checkOptions, type OptionChecks, type OptionProblem } from "../../base/check-options.js";
import type { SessionOptions } from "./driver.js";
import type { PgliteConfig } from "./pglite.js";
import type { PostgresAddress, PostgresConfig } from "./postgres.js";

const SESSION: OptionChecks<SessionOptions> = {
  statementTimeout: check.whole(0),
  schema: check.text("public"),
  preparedStatements: check.either("true, false or a whole number from 0", check.boolean, check.whole(0)),
  shareReads: check.boolean,
};

const PGLITE: OptionChecks<PgliteConfig> = {
  ...SESSION,
  client: check.anything,
  directory: check.text(".plinth/data"),
  acquireTimeout: check.whole(1),
};

const POSTGRES: OptionChecks<PostgresConfig> = {
  ...SESSION,
  client: check.anything,
  connection: isConnection,
  pool: check.anything,
  connectTimeout: check.whole(1),
};

const ADDRESS: OptionChecks<PostgresAddress> = {
  host: check.text("127.0.0.1"),
  port: check.whole(1, 65_535),
  database: check.text("blog"),
  user: check.text("blog"),
  password: check.either("a string", check.text("..."), (value) => (value === "" ? undefined : "a string")),
  ssl: check.either("true, false or options of tls.connect", check.boolean, isObject),
};

const POOL: OptionChecks<NonNullable<PostgresConfig["pool"]>> = {
  min: check.whole(0),
  max: check.whole(1),
  acquireTimeout: check.whole(1),
};

/** What is wrong with `config/database`; what may hold a password is not shown. */
export function checkDatabaseConfig(raw: unknown): readonly OptionProblem[] {
  if (raw === undefined) return [];
  const { client, connection, pool } = Object(raw) as Readonly<Record<string, unknown>>;
  if (client === "pglite") return checkOptions<PgliteConfig>(raw, PGLITE, { path: "database" });
  if (client !== "postgres")
    return [{ path: "database.client", message: `must be "pglite" or "postgres", and is ${JSON.stringify(client)}` }];
  return [
    ...checkOptions<PostgresConfig>(raw, POSTGRES, { path: "database", secrets: ["connection"] }),
    ...(isObject(connection) === undefined
      ? checkOptions<PostgresAddress>(connection, ADDRESS, { path: "database.connection", secrets: ["password"] })
      : []),
    ...checkOptions(pool, POOL, { path: "database.pool" }),
  ];
}

function isConnection(value: unknown): string | undefined {
  if (isObject(value) === undefined) return undefined;
  // The scheme is what a name without one lacks: "nonsense" would be read as a database of the host "base".
  const isUrl = typeof value === "string" && /^(postgres|postgresql|socket):/.test(value) && isParsed(value);
  return isUrl || (typeof value === "string" && value.startsWith("/"))
    ? undefined
    : "postgres://user:password@host:port/database, or an object with its parts";
}

const isParsed = (value: string): boolean => value.startsWith("socket:") || URL.canParse(value);

function isObject(value: unknown): string | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? undefined : "an object";
}

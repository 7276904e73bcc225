import type { ClientConfig } from "pg";
import parseConnectionString from "pg-connection-string";
import * as v from "../../base/valibot.js";
import { createPool, type Driver, knexOptions, nameLimit, statementTimeoutOf, valueTypes } from "./driver.js";
import { type PostgresAddress, type PostgresConfig, poolOptions, postgresConfig } from "./config.js";
import { GuardedClient, type WatchOptions } from "./guarded-client.js";
import { DatabaseUnreachableError } from "../errors.js";
import { PostgresListener } from "./messages.js";

const defaults = v.getDefaults(postgresConfig);

/** Milliseconds without traffic after which the system asks whether the other end is still there. */
const KEEP_ALIVE_DELAY = 10_000;

/**
 * Milliseconds beyond `statementTimeout` in which a server that still works has ended the statement and said so. A
 * connection without an answer by then is dead.
 */
const ANSWER_GRACE = 3_000;

/** The driver of a PostgreSQL server. Connects on the first statement. */
export function openPostgres(config: PostgresConfig): Driver {
  const { min, max, acquireTimeout } = v.parse(poolOptions, config.pool ?? {});
  const options = knexOptions(config, acquireTimeout);
  const client = clientConfig(config);
  const where = describe(config.connection);
  const statementTimeout = statementTimeoutOf(config);
  const pool = createPool({
    where,
    knex: { ...options, connection: client as object, pool: { ...options.pool, min, max } },
    watch: watchOptions(where, statementTimeout),
  });
  const connectListener = () => new GuardedClient({ ...client, application_name: "plinth listener" });
  const listener = new PostgresListener(connectListener, () => pool.suspectAll());
  return {
    kind: "postgres",
    knex: pool.knex,
    where,
    acquireTimeout,
    connections: max,
    preparedStatements: nameLimit(config),
    sharesReads: config.shareReads ?? true,
    statementTimeout,
    listener,
    close: async () => {
      await listener.close();
      await pool.close();
    },
  };
}

function clientConfig({ connection, connectTimeout = defaults.connectTimeout }: PostgresConfig): ClientConfig {
  return {
    application_name: "plinth",
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
    connectionTimeoutMillis: connectTimeout,
    ...(typeof connection === "string" ? { connectionString: connection } : connection),
    types: valueTypes,
  };
}

function watchOptions(where: string, statementTimeout: number): WatchOptions {
  const limit = statementTimeout === 0 ? 0 : statementTimeout + ANSWER_GRACE;
  return { limit, reason: () => new DatabaseUnreachableError({ where, reason: "it does not answer" }) };
}

function describe(connection: string | PostgresAddress): string {
  const { host, port, database } =
    typeof connection === "string" ? parseConnectionString.parse(connection) : connection;
  return `${host ?? "localhost"}:${port ?? 5432}/${database ?? ""}`;
}

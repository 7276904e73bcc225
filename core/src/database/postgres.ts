import type { ConnectionOptions } from "node:tls";
import createKnex from "knex";
import pg from "pg";
import parseConnectionString from "pg-connection-string";
import { type Driver, knexOptions, nameLimit, type SessionOptions, valueTypes } from "./driver.js";
import { PostgresListener } from "./listener.js";

/** Where a PostgreSQL server is and who connects. */
export interface PostgresAddress {
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  readonly user?: string;
  readonly password?: string;
  /** `true` for TLS with a checked certificate, or options of Node's `tls.connect`. */
  readonly ssl?: boolean | ConnectionOptions;
}

/** A PostgreSQL server, version 13 or newer. */
export interface PostgresConfig extends SessionOptions {
  readonly client: "postgres";
  /** `postgres://user:password@host:port/database`, or its parts. */
  readonly connection: string | PostgresAddress;
  /** Connections kept open and at most open (0 and 10), and milliseconds a caller waits for a free one (10,000). */
  readonly pool?: { readonly min?: number; readonly max?: number; readonly acquireTimeout?: number };
}

/** How long the listener waits for a connection before it tries anew, in milliseconds. */
const LISTENER_TIMEOUT = 5_000;

const DEFAULT_POOL = { min: 0, max: 10, acquireTimeout: 10_000 };

/** The driver of a PostgreSQL server. Connects on the first statement. */
export function openPostgres(config: PostgresConfig): Driver {
  const { min, max, acquireTimeout } = { ...DEFAULT_POOL, ...config.pool };
  const options = knexOptions(config, acquireTimeout);
  const connection =
    typeof config.connection === "string" ? { connectionString: config.connection } : config.connection;
  const knex = createKnex({
    ...options,
    connection: { application_name: "plinth", ...connection, types: valueTypes } as object,
    pool: { ...options.pool, min, max },
  });
  const connectListener = () =>
    new pg.Client({
      application_name: "plinth listener",
      keepAlive: true,
      connectionTimeoutMillis: LISTENER_TIMEOUT,
      ...(connection as pg.ClientConfig),
    });
  const listener = new PostgresListener(connectListener);
  return {
    kind: "postgres",
    knex,
    where: describe(config.connection),
    acquireTimeout,
    connections: max,
    preparedStatements: nameLimit(config),
    sharesReads: config.shareReads ?? true,
    statementTimeout: config.statementTimeout,
    canBatch: true,
    listener,
    close: async () => {
      await listener.close();
      await knex.destroy();
    },
  };
}

function describe(connection: string | PostgresAddress): string {
  const { host, port, database } =
    typeof connection === "string" ? parseConnectionString.parse(connection) : connection;
  return `${host ?? "localhost"}:${port ?? 5432}/${database ?? ""}`;
}

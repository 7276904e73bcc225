import type { ConnectionOptions } from "node:tls";
import type { ClientConfig } from "pg";
import parseConnectionString from "pg-connection-string";
import { type Driver, knexOptions, nameLimit, type SessionOptions, statementTimeoutOf, valueTypes } from "./driver.js";
import type { WatchOptions } from "./connection-watch.js";
import { DatabaseUnreachableError } from "../errors.js";
import { GuardedClient } from "./guarded-client.js";
import { PostgresListener } from "./listener.js";
import { createPool } from "./pool.js";

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
  /** Connections kept open and at most open (0 and 10), and milliseconds a caller waits for a free one (8,000). */
  readonly pool?: { readonly min?: number; readonly max?: number; readonly acquireTimeout?: number };
  /** Milliseconds that opening a connection may take; 5,000 by default. */
  readonly connectTimeout?: number;
}

const DEFAULT_POOL = { min: 0, max: 10, acquireTimeout: 8_000 };
const DEFAULT_CONNECT_TIMEOUT = 5_000;

/** Milliseconds without traffic after which the system asks whether the other end is still there. */
const KEEP_ALIVE_DELAY = 10_000;

/**
 * Milliseconds beyond `statementTimeout` in which a server that still works has ended the statement and said so. A
 * connection without an answer by then leads nowhere.
 */
const ANSWER_GRACE = 3_000;

/** The driver of a PostgreSQL server. Connects on the first statement. */
export function openPostgres(config: PostgresConfig): Driver {
  const { min, max, acquireTimeout } = { ...DEFAULT_POOL, ...config.pool };
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

function clientConfig({ connection, connectTimeout = DEFAULT_CONNECT_TIMEOUT }: PostgresConfig): ClientConfig {
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

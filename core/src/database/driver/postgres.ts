import type { Knex } from "knex";
import type { ClientConfig } from "pg";
import * as v from "../../base/valibot.js";
import { createPool, type Driver, knexOptions, nameLimit, statementTimeoutOf, valueTypes } from "./driver.js";
import { type PostgresConfig, poolOptions, postgresConfig } from "./config.js";
import { GuardedClient, type WatchOptions } from "./guarded-client.js";
import { clientAddress, describeConnection, hostsOf } from "./host-list.js";
import { Hosts, primaryClient } from "./hosts.js";
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
  const { min, max, acquireTimeout, maxLifetime } = v.parse(poolOptions, config.pool ?? {});
  const options = knexOptions(config, acquireTimeout);
  const client = clientConfig(config);
  const where = describeConnection(config.connection);
  const list = hostsOf(config.connection);
  const hosts = list.length > 0 ? new Hosts(list, client, where) : undefined;
  const Client = hosts ? primaryClient(hosts) : GuardedClient;
  const statementTimeout = statementTimeoutOf(config);
  const pool = createPool({
    where,
    knex: { ...options, connection: client as object, pool: { ...options.pool, min, max, ...lifetime(maxLifetime) } },
    watch: { ...watchOptions(where, statementTimeout), lost: (host) => hosts?.forget(host) },
    Client,
  });
  hosts?.onMove((host) => pool.disposeHost(host));
  const connectListener = () => new Client({ ...client, application_name: "plinth listener" });
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
    hosts,
    close: async () => {
      hosts?.close();
      await listener.close();
      await pool.close();
    },
  };
}

/** Connections that were opened at the same moment are not replaced at the same moment. */
function lifetime(maxLifetime: number): Knex.PoolConfig {
  if (maxLifetime === 0) return {};
  return { maxConnectionLifetimeMillis: maxLifetime, maxConnectionLifetimeJitterMillis: Math.ceil(maxLifetime / 10) };
}

function clientConfig({ connection, connectTimeout = defaults.connectTimeout }: PostgresConfig): ClientConfig {
  return {
    application_name: "plinth",
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
    connectionTimeoutMillis: connectTimeout,
    ...clientAddress(connection),
    types: valueTypes,
  };
}

function watchOptions(where: string, statementTimeout: number): WatchOptions {
  const limit = statementTimeout === 0 ? 0 : statementTimeout + ANSWER_GRACE;
  return { limit, reason: () => new DatabaseUnreachableError({ where, reason: "it does not answer" }) };
}

import type { Knex } from "knex";
import type { ClientConfig } from "pg";
import * as v from "@plinth/core/valibot";
import { createPool, type Driver, knexOptions, nameLimit, valueTypes } from "./driver.js";
import { type PostgresConfig, poolOptions, postgresConfig } from "./config.js";
import { GuardedClient, type WatchOptions } from "./guarded-client.js";
import { clientAddress, describeConnection, hostsOf } from "./host-list.js";
import { Hosts, primaryClient } from "./hosts.js";
import { DatabaseUnreachableError } from "../errors.js";
import { DatabaseCrowdedError, ListenMissingError } from "./errors.js";
import { acquireFirst, releaseConnection, watchWaiting } from "./knex-internals.js";
import { PostgresListener } from "./messages.js";
import { sessionSettings, statementTimeoutOf, withSettings } from "./session-settings.js";

const defaults = v.getDefaults(postgresConfig);

/** Milliseconds without traffic after which the system asks whether the other end is still there. */
const KEEP_ALIVE_DELAY = 10_000;

/**
 * Milliseconds beyond `statementTimeout` in which a server that still works has ended the statement and said so. A
 * connection without an answer by then is dead.
 */
const ANSWER_GRACE = 5_000;

/** Milliseconds for the answer of a server that is looked at. */
const LOOK_TIME = 10_000;

/** A driver of a server of its own. */
export interface PostgresDriver extends Driver {
  /** A client that is not connected yet, past a pooler. */
  connectDirect(): GuardedClient;
  /** Ends every connection of the pool at once: their statements fail with PLINTH_DATABASE_UNREACHABLE. */
  cutOff(reason: string): void;
}

/**
 * The driver of a PostgreSQL server. Connects on the first statement.
 *
 * @throws PLINTH_DATABASE_LISTEN_MISSING (500) behind a pooler by transaction
 */
export function openPostgres(config: PostgresConfig): PostgresDriver {
  const { pooler = defaults.pooler, connection, listen } = config;
  if (pooler === "transaction" && listen === undefined) throw new ListenMissingError({});
  const { min, max, acquireTimeout, maxLifetime } = v.parse(poolOptions, config.pool ?? {});
  const where = describeConnection(connection);
  const statementTimeout = statementTimeoutOf(config);
  const served = reach(connection, config, pooler === "none");
  const direct = listen === undefined ? served : reach(listen, config, true);
  const pool = createPool({
    where,
    knex: {
      ...knexOptions(acquireTimeout),
      connection: served.client as object,
      pool: { min, max, ...lifetime(maxLifetime) },
    },
    watch: { ...watchOptions(where, statementTimeout), lost: (host) => served.hosts?.forget(host) },
    Client: served.Client,
  });
  served.hosts?.onMove((host) => pool.disposeHost(host));
  const listener = listenPast(pool, direct);
  const crowded = new DatabaseCrowdedError({ connections: max });
  const line = watchWaiting(pool.knex, crowded);
  return {
    kind: "postgres",
    engine: config.engine ?? "postgres",
    knex: pool.knex,
    where,
    acquireTimeout,
    connections: max,
    refusal: () => (line.admits() ? undefined : crowded),
    preparedStatements: namesBehind(config),
    sharesReads: config.shareReads ?? true,
    statementTimeout,
    settings: sessionSettings(config),
    listener,
    hosts: served.hosts,
    connectDirect: () => new direct.Client(direct.client),
    cutOff: pool.cutOff,
    close: async () => {
      served.hosts?.close();
      direct.hosts?.close();
      await listener.close();
      await pool.close();
    },
  };
}

/** Makes clients, not connected yet, of a server. */
export interface DirectClients {
  /** @param withSettings - whether the settings of the app are a part of the connection, or nothing is set. */
  make(withSettings: boolean): GuardedClient;
  /** Ends the search for the primary among several hosts; the clients end by themselves. */
  close(): void;
}

/** Clients past any pooler, for somebody who looks at the server before an app uses it; an answer has ten seconds. */
export function directClients(config: PostgresConfig): DirectClients {
  const at = config.listen ?? config.connection;
  const [plain, set] = [reach(at, config, false), reach(at, config, true)];
  return {
    make: (withSettings) => {
      const { Client, client } = withSettings ? set : plain;
      return new Client({ ...client, query_timeout: LOOK_TIME });
    },
    close: () => {
      plain.hosts?.close();
      set.hosts?.close();
    },
  };
}

/** Receives messages on a connection past any pooler, and proves it through the pool. */
function listenPast(pool: ReturnType<typeof createPool>, direct: Reached): PostgresListener {
  return new PostgresListener({
    connect: () => new direct.Client({ ...direct.client, application_name: "plinth listener" }),
    acquire: () => acquireFirst(pool.knex) as Promise<GuardedClient>,
    release: (client) => void releaseConnection(pool.knex, client),
    lost: () => pool.suspectAll(),
  });
}

/** Connections that were opened at the same moment are not replaced at the same moment. */
function lifetime(maxLifetime: number): Knex.PoolConfig {
  if (maxLifetime === 0) return {};
  return { maxConnectionLifetimeMillis: maxLifetime, maxConnectionLifetimeJitterMillis: Math.ceil(maxLifetime / 10) };
}

/** How an address is connected to. */
interface Reached {
  readonly client: ClientConfig;
  /** Where it names several. */
  readonly hosts: Hosts | undefined;
  readonly Client: typeof GuardedClient;
}

/**
 * @param takesSettings - false for a pooler: those that take settings with a connection take few of them, so there the
 *   role has them.
 */
function reach(connection: PostgresConfig["connection"], config: PostgresConfig, takesSettings: boolean): Reached {
  const plain = clientConfig({ ...config, connection });
  const client = takesSettings ? withSettings(plain, sessionSettings(config)) : plain;
  const list = hostsOf(connection);
  const hosts = list.length > 0 ? new Hosts(list, client, describeConnection(connection)) : undefined;
  return { client, hosts, Client: hosts ? primaryClient(hosts) : GuardedClient };
}

/** A name is kept by a session, and behind a pooler by transaction the next statement may be in another one. */
function namesBehind({ pooler, preparedStatements }: PostgresConfig): number {
  return pooler === "transaction" && preparedStatements === undefined ? 0 : nameLimit({ preparedStatements });
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

import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "pg";
import * as v from "@plinth/core/valibot";
import { reasonOf } from "../../base/error.js";
import { type PgliteConfig, pgliteConfig } from "./config.js";
import { lockDirectory } from "./data-lock.js";
import type { DatabaseLog } from "./database.js";
import { createPool, type Driver, knexOptions, nameLimit, valueTypes } from "./driver.js";
import { EmbeddedServer } from "./embedded-server.js";
import { DatabaseDamagedError, DatabaseUnreachableError, StatementTimeoutError } from "../errors.js";
import { CLUSTER_FILE, type Cluster, CONTROL_FILE, freshCluster, keptCluster, writeCluster } from "./fresh-cluster.js";
import { GuardedClient } from "./guarded-client.js";
import { makeOwnedFolder } from "./owned-folder.js";
import { sessionSettings, setStatements, statementTimeoutOf } from "./session-settings.js";

const MEMORY = ":memory:";
const defaults = v.getDefaults(pgliteConfig);

const NOT_CLOSED =
  "The embedded database had not been closed, and was restored from its log. After a power cut the latest writes may be missing";

/** Settings that a client has to have; the embedded database ignores them. */
const CLIENT = { user: "postgres", password: "none", database: "postgres", host: "embedded", ssl: false };

/**
 * The driver of an embedded database. Locks its directory for this process.
 *
 * @throws PLINTH_DATABASE_LOCKED when another process has the directory open
 * @throws PLINTH_DATABASE_DAMAGED when what is in the directory cannot be opened
 */
export async function openPglite(config: PgliteConfig, log: DatabaseLog): Promise<Driver> {
  const acquireTimeout = config.acquireTimeout ?? defaults.acquireTimeout;
  const limit = statementTimeoutOf(config);
  const { server, unlock } = await (config.directory === MEMORY ? openMemory() : openDirectory(config.directory, log));
  const settings = setStatements(sessionSettings(config));
  const pool = createPool({
    where: config.directory,
    knex: {
      ...knexOptions(acquireTimeout),
      connection: { ...CLIENT, stream: () => server.socket(), types: valueTypes } as object,
      // Exactly one: there is one session, which a second connection would make again.
      pool: { min: 1, max: 1, afterCreate: afterCreate(settings) },
    },
    watch: { limit, reason: () => new StatementTimeoutError({ limit }) },
    Client: EmbeddedClient,
  });
  return {
    kind: "pglite",
    engine: "postgres",
    knex: pool.knex,
    where: config.directory,
    acquireTimeout,
    connections: 1,
    // One person's, mostly: it may take its time.
    refusal: () => undefined,
    preparedStatements: nameLimit(config),
    sharesReads: config.shareReads ?? true,
    statementTimeout: limit,
    settings: undefined,
    listener: undefined,
    async close() {
      await pool.close();
      await server.close();
      await unlock();
    },
  };
}

/** The embedded database has no startup packet that settings could be part of. */
function afterCreate(settings: string) {
  return (connection: Client, done: (error: Error | undefined, connection: Client) => void): void => {
    connection.query(settings).then(
      () => done(undefined, connection),
      (error: Error) => done(error, connection),
    );
  };
}

class EmbeddedClient extends GuardedClient {
  /** The embedded database ends with its thread: no statement goes on. */
  override cancel(): Promise<void> {
    return Promise.resolve();
  }
}

interface OpenedPglite {
  readonly server: EmbeddedServer;
  readonly unlock: () => Promise<void>;
}

async function openDirectory(directory: string, log: DatabaseLog): Promise<OpenedPglite> {
  await makeOwnedFolder(directory, log);
  const lock = await lockDirectory(directory);
  const server = new EmbeddedServer(directory);
  try {
    const state = await stateOf(directory);
    const cluster = state === "absent" ? await keptCluster() : undefined;
    await openServer(server, { where: directory, state, cluster });
    await lock.secure();
    if (state === "open") log.warn({ directory }, NOT_CLOSED);
    return { server, unlock: lock.release };
  } catch (error) {
    await server.close();
    await lock.release();
    throw error;
  }
}

async function openMemory(): Promise<OpenedPglite> {
  const server = new EmbeddedServer(await freshCluster());
  await openServer(server, { where: MEMORY, state: "absent" });
  return { server, unlock: async () => undefined };
}

interface Opening {
  readonly where: string;
  readonly state: ClusterState;
  /** Files that a directory gets first. Default: it has its own, or PGlite makes them. */
  readonly cluster?: Cluster | undefined;
}

async function openServer(server: EmbeddedServer, { where, state, cluster }: Opening): Promise<void> {
  try {
    if (cluster) writeCluster(cluster, where);
    await server.open();
  } catch (cause) {
    const details = { where, reason: reasonOf(cause) };
    throw state === "absent"
      ? new DatabaseUnreachableError(details, { cause })
      : new DatabaseDamagedError(details, { cause });
  }
}

/** How a data directory was left: no cluster in it, closed, open as by a process that was killed, or without its control file. */
type ClusterState = "absent" | "closed" | "open" | "damaged";

/**
 * Where the control file of a cluster says how it was left, and what a closed one has there.
 *
 * @source https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_control.h
 */
const STATE_OFFSET = 16;
const SHUT_DOWN = 1;

async function stateOf(directory: string): Promise<ClusterState> {
  try {
    const file = await open(join(directory, CONTROL_FILE));
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, STATE_OFFSET).finally(() => file.close());
    return buffer.readInt32LE() === SHUT_DOWN ? "closed" : "open";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return existsSync(join(directory, CLUSTER_FILE)) ? "damaged" : "absent";
  }
}

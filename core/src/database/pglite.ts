import { mkdir } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import createKnex from "knex";
import { lockDirectory } from "./data-lock.js";
import { type Driver, knexOptions, nameLimit, type SessionOptions, statementTimeoutOf, valueTypes } from "./driver.js";
import { freshCluster } from "./fresh-cluster.js";

/** The embedded database. */
export interface PgliteConfig extends SessionOptions {
  readonly client: "pglite";
  /** Data directory, made when missing; `:memory:` keeps everything in this process. */
  readonly directory: string;
  /** Milliseconds a caller waits for the one connection; 10,000 by default. */
  readonly acquireTimeout?: number;
}

const MEMORY = ":memory:";
const DEFAULT_ACQUIRE_TIMEOUT = 10_000;

/**
 * The driver of an embedded database. Locks its directory for this process.
 *
 * @throws PLINTH_DATABASE_LOCKED when another process has the directory open
 */
export async function openPglite(config: PgliteConfig): Promise<Driver> {
  const acquireTimeout = config.acquireTimeout ?? DEFAULT_ACQUIRE_TIMEOUT;
  const { pglite, unlock } = config.directory === MEMORY ? await openMemory() : await openDirectory(config.directory);
  const options = knexOptions(config, acquireTimeout);
  const knex = createKnex({
    ...options,
    connection: { ...createPgConfig(pglite), types: valueTypes } as object,
    // Exactly one, and never given up: the adapter has one session, which does not survive a second client.
    pool: { ...options.pool, min: 1, max: 1 },
  });
  return {
    kind: "pglite",
    knex,
    where: config.directory,
    acquireTimeout,
    connections: 1,
    preparedStatements: nameLimit(config),
    sharesReads: config.shareReads ?? true,
    statementTimeout: statementTimeoutOf(config),
    canBatch: false,
    listener: undefined,
    async close() {
      await knex.destroy();
      await pglite.close();
      await unlock();
    },
  };
}

interface OpenedPglite {
  readonly pglite: PGlite;
  readonly unlock: () => Promise<void>;
}

async function openDirectory(directory: string): Promise<OpenedPglite> {
  await mkdir(directory, { recursive: true });
  const unlock = await lockDirectory(directory);
  try {
    return { pglite: await PGlite.create(directory), unlock };
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function openMemory(): Promise<OpenedPglite> {
  const pglite = await PGlite.create({ dataDir: "memory://", loadDataDir: await freshCluster() });
  return { pglite, unlock: async () => undefined };
}

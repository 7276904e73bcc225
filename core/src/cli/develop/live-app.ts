import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import { databaseConfigOf } from "../../app/app-database.js";
import type { AppSetup } from "../../app/app-setup.js";
import { createPlinth, type PlinthApp } from "../../app/create-app.js";
import { createLog } from "../../app/create-log.js";
import { connectDatabase, type DatabaseConfig } from "../../database/driver/connect.js";
import type { Database, DatabaseLog } from "../../database/driver/database.js";

/** How long a version that was replaced is kept for who still works with it, in milliseconds. */
const HOLD_LIMIT = 60_000;
const OFF = { ref: false };

/** A version of a project that serves. */
export interface LiveVersion {
  readonly setup: AppSetup;
  readonly plinth: PlinthApp;
  readonly url: string;
}

/**
 * An app whose versions follow each other in one process. The next one is made while the last serves, on the same
 * database, and takes its place only when everything of it has started.
 */
export class LiveApp {
  readonly #database = new KeptDatabase();
  readonly #holders = new WeakMap<LiveVersion, Set<Promise<unknown>>>();
  readonly #retiring = new Set<Promise<void>>();
  #end: () => void = () => undefined;
  readonly #isEnding = new Promise<void>((resolve) => {
    this.#end = resolve;
  });
  #version: LiveVersion | undefined;
  #log: { readonly config: unknown; readonly log: Logger } | undefined;

  /** What serves now; undefined before the first. */
  get version(): LiveVersion | undefined {
    return this.#version;
  }

  /** Whether it can take over a version of this setup; only another process opens another database. */
  canServe(setup: AppSetup): boolean {
    return this.#database.fits(databaseConfigOf(setup));
  }

  /** Serves a version from now on. @throws what a start throws; the version before keeps serving then */
  async serve(setup: AppSetup): Promise<LiveVersion> {
    const plinth = createPlinth({ ...setup, connect: this.#database.connect, log: this.#logOf(setup) });
    const last = this.#version;
    if (!last) {
      const url = (await plinth.start()) ?? "";
      this.#version = { setup, plinth, url };
      return this.#version;
    }
    await plinth.start({ listen: false });
    this.#version = { setup, plinth, url: await takeOver(last, plinth) };
    await this.#retire(last);
    return this.#version;
  }

  /** Lets work go on with the version that serves when it begins, for a while also after that was replaced. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const version = this.#version as LiveVersion;
    const done = work();
    const holders = this.#holders.get(version) ?? new Set();
    this.#holders.set(version, holders.add(done));
    return await done.finally(() => holders.delete(done));
  }

  /** Stops a version that was replaced: at once, or later when somebody holds it. */
  async #retire(version: LiveVersion): Promise<void> {
    const holders = [...(this.#holders.get(version) ?? [])];
    if (holders.length === 0) return await version.plinth.stop();
    const stopped = Promise.race([Promise.allSettled(holders), this.#isEnding, sleep(HOLD_LIMIT, undefined, OFF)])
      .then(() => version.plinth.stop())
      .catch((err) => version.plinth.app.log.error({ err }, "A version that was replaced did not stop as it should"))
      .finally(() => this.#retiring.delete(stopped));
    this.#retiring.add(stopped);
  }

  /** Stops the version that serves, and closes the database. */
  async stop(): Promise<void> {
    this.#end();
    await Promise.all(this.#retiring);
    await this.#version?.plinth.stop();
    await this.#database.close();
  }

  /** A log may have a thread of its own, which is not started again for every change. */
  #logOf({ config }: AppSetup): Logger {
    const given = config?.["log"];
    if (!this.#log || !isDeepStrictEqual(given, this.#log.config)) this.#log = { config: given, log: createLog(given) };
    return this.#log.log;
  }
}

/** One database for all versions of an app, open from the first to the last: only one connection can have the embedded one. */
class KeptDatabase {
  #config: DatabaseConfig | undefined;
  #database: Database | undefined;

  /** Whether an app of this configuration can have it. */
  fits(config: DatabaseConfig): boolean {
    return this.#database === undefined || isDeepStrictEqual(config, this.#config);
  }

  /** Opens it at the first time. What is returned need not be closed. @throws as connectDatabase does */
  readonly connect = async (config: DatabaseConfig, log: DatabaseLog): Promise<Database> => {
    this.#database ??= await connectDatabase(config, log);
    this.#config = config;
    return borrowDatabase(this.#database);
  };

  async close(): Promise<void> {
    await this.#database?.close();
  }
}

/** Both want the same port, as a rule. @throws PLINTH_HTTP_CANNOT_LISTEN; the last one listens again then */
async function takeOver(last: LiveVersion, next: PlinthApp): Promise<string> {
  const closing = last.plinth.app.http.close({ handsOver: true });
  try {
    return await next.app.http.listen();
  } catch (error) {
    await closing;
    await Promise.all([next.stop({ hasFailed: true }), last.plinth.app.http.listen()]);
    throw error;
  }
}

/** The same database for code that must not close it: `close` leaves it open for its owner. */
function borrowDatabase(db: Database): Database {
  return {
    kind: db.kind,
    engine: db.engine,
    noteChangesOf: (tables) => db.noteChangesOf(tables),
    messages: db.messages,
    knex: db.knex,
    query: (statement) => db.query(statement),
    queryAll: (statements, options) => db.queryAll(statements, options),
    transaction: (work, options) => db.transaction(work, options),
    afterCommit: (task) => db.afterCommit(task),
    defer: (statement) => db.defer(statement),
    lock: (...names) => db.lock(...names),
    hold: (name) => db.hold(name),
    liftTimeLimits: () => db.liftTimeLimits(),
    builder: () => db.builder(),
    ping: () => db.ping(),
    refusal: () => db.refusal(),
    connectDirect: () => db.connectDirect(),
    close: async () => undefined,
    replicas: db.replicas,
    sharesReads: db.sharesReads,
    connections: db.connections,
    get isInTransaction() {
      return db.isInTransaction;
    },
    get fault() {
      return db.fault;
    },
    get pool() {
      return db.pool;
    },
    get statementCount() {
      return db.statementCount;
    },
  };
}

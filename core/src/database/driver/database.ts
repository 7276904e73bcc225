import type { Knex } from "knex";
import type { Client } from "pg";
import type { PlinthError } from "../../base/error.js";
import type { Replicas } from "./replicas.js";
import type { CountedTables } from "../layout/noted-changes.js";
import type { Engine } from "./engine.js";
import type { HeldLock } from "./session-locks.js";
import type { PoolState } from "./knex-internals.js";
import type { Messages } from "./messages.js";

/** One SQL statement. Values are parameters `$1`..., never part of the text. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** True for statements whose text recurs (plans): they are prepared and named from their second use on. */
  readonly isPlan?: boolean;
  /** True for statements that only read: outside of a transaction they are sent once more when their connection breaks. */
  readonly isRead?: boolean;
  /**
   * True for what a process does by itself from time to time, such as its heartbeat: `statementCount`, by which the cost of
   * work is measured, leaves it out.
   */
  readonly isUpkeep?: boolean;
  /** Milliseconds after which PostgreSQL stops it, in place of `statementTimeout`; only outside of transactions. */
  readonly time?: number;
  /**
   * Makes the error that its caller gets where it divides by zero, of the driver's. For statements that go along with others and check
   * something: nothing looks at their rows.
   */
  readonly failsAs?: ((cause: Error) => Error) | undefined;
}

/** How a lock is held: `exclusive` by one transaction, `shared` by many, while none holds it exclusively. */
export type LockMode = "exclusive" | "shared";

const LOCKS: Readonly<Record<LockMode | "tried", string>> = {
  exclusive: "pg_advisory_xact_lock",
  shared: "pg_advisory_xact_lock_shared",
  tried: "pg_try_advisory_xact_lock",
};

/**
 * The statement that waits until no other transaction of this schema has a lock of one of these names, and holds them
 * until its own transaction ends. Several are taken in one order, to avoid deadlocks.
 *
 * @param mode - `tried`: exclusive, without a wait; the row of each name says by `is_taken` whether it is held now.
 */
export const lockStatement = (names: readonly string[], mode: LockMode | "tried" = "exclusive"): Statement => ({
  text: `select ${LOCKS[mode]}(hashtextextended(name || ' ' || current_schema(), 0)) as is_taken from (select name from unnest($1::text[]) name order by name) names`,
  values: [names],
  isPlan: true,
});

/** A statement that was put off. */
export interface Deferred {
  readonly isSent: boolean;
  /** Replaces it by another statement; only until it is sent. */
  replace(statement: Statement): void;
}

/** Where a database logs warnings, such as a missing setting. Pino's loggers fit. */
export interface DatabaseLog {
  warn(details: object, message: string): void;
}

/** How a transaction behaves when the database cannot serialise it. */
export interface TransactionOptions {
  /** How often work is run again after a deadlock or serialisation failure; the default is 10. Outermost transaction only. */
  readonly retries?: number;
}

/**
 * A PostgreSQL or PGlite database. Every statement goes through the transaction of its async context, if there is
 * one: those of `query`, of knex (by `builder()`) and of Objection models.
 */
export interface Database {
  readonly kind: "postgres" | "pglite";
  readonly engine: Engine;
  /** Says which tables are counted. Only on an engine without triggers: from then on every transaction notes which of them it writes. */
  noteChangesOf(tables: CountedTables): void;
  /** Runs one statement and returns its rows. @throws PLINTH_DATABASE_* for faults of the connection; driver errors keep their `code` (SQLSTATE) */
  query<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
  /**
   * Runs statements in their order and returns the rows of each; the first that fails ends them all. On a server they
   * take one round trip. Outside of a transaction they make one.
   *
   * @param options - `ends`: the transaction (or savepoint) of the async context ends with them, in the same round trip;
   * later statements are outside of it. For answers of writes: see core/decisions/0012-hand-written-batch.md.
   * @throws as `query`
   */
  queryAll(statements: readonly Statement[], options?: { readonly ends?: boolean }): Promise<object[][]>;
  /**
   * Runs `work` in a transaction: a new one, or a savepoint when the async context is in one already, so a caught
   * error of inner work does not poison the outer. Deadlocks and serialisation failures of the outermost are retried.
   */
  transaction<T>(work: () => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs `task` after the outermost transaction commits, or at once outside of one. Dropped on rollback. */
  afterCommit(task: () => void): void;
  readonly isInTransaction: boolean;
  /** The most that there are at once. */
  readonly connections: number;
  /**
   * Why a request that is about to begin would wait too long for a connection; undefined where it would not, and on PGlite.
   * Then the newest who wait are turned away, with the same error. To be asked once for each request: each takes its room.
   *
   * @returns PLINTH_DATABASE_CROWDED (503)
   */
  refusal(): PlinthError | undefined;
  /**
   * Puts a statement off whose rows are not needed: it runs before the next statement of the transaction, in the same
   * round trip, and at the latest before the commit. A rollback drops it.
   *
   * @throws PLINTH_DATABASE_NO_TRANSACTION (500) outside of a transaction
   */
  defer(statement: Statement): Deferred;
  /**
   * Lets one transaction at a time, across processes, do what a name stands for: waits until no other one holds a
   * lock of that name, and holds it until the outermost transaction ends. The next statement sees what the others have
   * committed. PGlite has one session, so nothing waits there.
   *
   * @throws PLINTH_DATABASE_NO_TRANSACTION (500) outside of a transaction
   */
  lock(...names: readonly string[]): Promise<void>;
  /**
   * Lets one process at a time do what a name stands for, for as long as it wants; the others do not wait. The lock is of a session
   * of its own, past any pooler (`database.listen`), and free as soon as the process lets go, stops or is gone.
   *
   * @returns undefined where somebody has it.
   * @throws PLINTH_DATABASE_* for faults of the connection
   */
  hold(name: string): Promise<HeldLock | undefined>;
  /** Lets the statements of the transaction of the async context, which must be in one, take as long as they want. */
  liftTimeLimits(): Promise<void>;
  /** Servers that follow this one; undefined where none are configured. */
  readonly replicas: Replicas<Database> | undefined;
  /** Whether equal reads at the same time share a statement (request coalescing). */
  readonly sharesReads: boolean;
  /** Short messages to all processes on this database. */
  readonly messages: Messages;
  /** Knex over the same pool, for schema steps, migrations and app developers. Use `builder()` for statements that must join the transaction. */
  readonly knex: Knex;
  /** Knex, or the current transaction of the async context. */
  builder(): Knex | Knex.Transaction;
  /** The connections of its pool at the moment; those of replicas are in their own. */
  readonly pool: PoolState;
  /** How many statements ran since start (for tests, benchmarks and `plinth doctor`). */
  readonly statementCount: number;
  /** Why this process must not be used, although the database answers: PLINTH_DATABASE_SESSION_DIFFERS; else undefined. */
  readonly fault: PlinthError | undefined;
  /**
   * Proves that a connection of the pool answers; the embedded database, which is part of this process, always does. It
   * is no statement of the app, and not counted.
   *
   * @param text - the statement to run. Default: `select 1`.
   * @throws PLINTH_DATABASE_*
   */
  ping(text?: string): Promise<void>;
  /**
   * A client, not connected yet, of a session of its own past any pooler (`database.listen`), for what transactions cannot
   * hold: locks of sessions, indexes that are made concurrently. Undefined for the embedded database.
   */
  connectDirect(): Client | undefined;
  close(): Promise<void>;
}

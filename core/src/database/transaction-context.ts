import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import type { Client } from "pg";
import type { TransactionOptions } from "./database.js";
import { TransactionAbortedError } from "./errors.js";

/** deadlock_detected and serialization_failure: the same work may succeed when it runs again. */
const RETRYABLE = new Set(["40P01", "40001"]);
const DEFAULT_RETRIES = 3;
/** Longest pause before the first retry, in milliseconds; doubles with each one. */
const RETRY_PAUSE = 20;

/** One open transaction or savepoint of an async context. */
export interface TransactionScope {
  readonly trx: Knex.Transaction;
  readonly connection: Client;
  readonly outer: TransactionScope | undefined;
  readonly afterCommit: (() => void)[];
  /** Statements of one scope run one after the other: a connection does one thing at a time. */
  lastStatement: Promise<unknown>;
  isOpen: boolean;
  /** Some statement failed, so PostgreSQL may refuse all others until a rollback. */
  hasFailed: boolean;
}

/** Runs work in transactions and knows which one the calling async context is in. */
export class TransactionContext {
  readonly #knex: Knex;
  readonly #storage = new AsyncLocalStorage<TransactionScope | undefined>();

  constructor(knex: Knex) {
    this.#knex = knex;
    knex.on("query-error", () => this.noteFailure());
  }

  /** The innermost open transaction of the async context; work that outlives its transaction is outside of it. */
  get current(): TransactionScope | undefined {
    let scope = this.#storage.getStore();
    while (scope && !scope.isOpen) scope = scope.outer;
    return scope;
  }

  /** @see Database.transaction */
  async run<T>(work: () => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const outer = this.current;
    if (outer) return this.#runOnce(work, outer);
    const retries = options.retries ?? DEFAULT_RETRIES;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#runOnce(work, undefined);
      } catch (error) {
        if (attempt >= retries || !isRetryable(error)) throw error;
        await sleep(Math.random() * RETRY_PAUSE * 2 ** attempt);
      }
    }
  }

  /** Remembers that a statement of this async context failed. */
  noteFailure(): void {
    const scope = this.current;
    if (scope) scope.hasFailed = true;
  }

  /** @see Database.afterCommit */
  afterCommit(task: () => void): void {
    const scope = this.current;
    if (scope) scope.afterCommit.push(task);
    else task();
  }

  async #runOnce<T>(work: () => Promise<T>, outer: TransactionScope | undefined): Promise<T> {
    const afterCommit: (() => void)[] = [];
    const result = await (outer?.trx ?? this.#knex).transaction(async (trx) => {
      const connection = (await trx.client.acquireConnection()) as Client;
      const scope: TransactionScope = {
        trx,
        connection,
        outer,
        afterCommit,
        lastStatement: Promise.resolve(),
        isOpen: true,
        hasFailed: false,
      };
      try {
        const value = await this.#storage.run(scope, work);
        await scope.lastStatement;
        await assertCommittable(scope);
        return value;
      } finally {
        scope.isOpen = false;
      }
    });
    if (outer) outer.afterCommit.push(...afterCommit);
    else this.#storage.run(undefined, () => runAll(afterCommit));
    return result;
  }
}

/** PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and without an error: the loss would be silent. */
async function assertCommittable({ hasFailed, connection, outer }: TransactionScope): Promise<void> {
  if (!hasFailed) return;
  try {
    await connection.query("select 1");
  } catch (error) {
    throw new TransactionAbortedError({ level: outer ? "savepoint" : "transaction" }, { cause: error });
  }
}

function isRetryable(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ("code" in e && RETRYABLE.has(String(e.code))) return true;
  }
  return false;
}

function runAll(tasks: readonly (() => void)[]): void {
  for (const task of tasks) task();
}

import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import type { Client } from "pg";
import { TransactionAbortedError } from "../errors.js";
import { assertStatement } from "./assert-statement.js";
import { failureOf, runStatement, withBoundValues } from "./batch.js";
import type { Deferred, Statement, TransactionOptions } from "./database.js";
import type { Driver } from "./driver.js";
import { isWorthAnotherTry, toCommitError } from "./driver-error.js";
import { acquireConnection, bindKnex, disposeConnection, releaseConnection } from "./knex-internals.js";

/** What begins or ends a transaction. */
export const recurring = (text: string): Statement => ({ text, values: [], isPlan: true });

class DeferredStatement implements Deferred {
  isSent = false;
  #statement: Statement;

  constructor(statement: Statement) {
    this.#statement = statement;
  }

  replace(statement: Statement): void {
    this.#statement = statement;
  }

  take(): Statement {
    this.isSent = true;
    return withBoundValues(this.#statement);
  }
}

/** One open transaction or savepoint of an async context. It begins with its first statement. */
export class TransactionScope {
  readonly afterCommit: (() => void)[] = [];
  /** Statements of one scope run one after the other: a connection does one thing at a time. */
  lastStatement: Promise<unknown> = Promise.resolve();
  /** So do the transactions inside. */
  lastInner: Promise<unknown> = Promise.resolve();
  isOpen = true;
  /** Some statement failed, so PostgreSQL may refuse all others until a rollback. */
  hasFailed = false;
  /** Its last statements included the commit. */
  hasEnded = false;
  /** Is sent with the next statement. */
  #deferred: DeferredStatement[] = [];
  #released: Statement | undefined;
  readonly #depth: number;
  #hasBegun = false;
  #builder: Knex | undefined;

  constructor(
    readonly connection: Client,
    readonly outer: TransactionScope | undefined,
    private readonly knex: Knex,
  ) {
    this.#depth = outer === undefined ? 0 : outer.#depth + 1;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get hasDeferred(): boolean {
    return this.#deferred.length > 0;
  }

  defer(statement: Statement): Deferred {
    assertStatement(statement);
    const deferred = new DeferredStatement(statement);
    this.#deferred.push(deferred);
    return deferred;
  }

  /** Releases a savepoint that is over, with the next statement; where none comes, the end of this scope releases it. */
  release(inner: TransactionScope): void {
    this.#released = recurring(inner.closing);
  }

  /** What has to be sent before the next statement, what was put off included: the caller sends it. */
  takeLeading(): readonly Statement[] {
    const statements = [...(this.#released ? [this.#released] : []), ...this.#deferred.map((each) => each.take())];
    this.#released = undefined;
    this.#deferred = [];
    if (this.#hasBegun) return statements;
    this.#hasBegun = true;
    const begin = this.outer === undefined ? ["begin"] : [`savepoint ${this.#name}`];
    return [...(this.outer?.takeLeading() ?? []), ...begin.map(recurring), ...statements];
  }

  get closing(): string {
    return this.outer === undefined ? "commit" : `release savepoint ${this.#name}`;
  }

  get undoing(): readonly string[] {
    return this.outer === undefined ? ["rollback"] : [`rollback to savepoint ${this.#name}`, this.closing];
  }

  /** Knex in this transaction. */
  builder(): Knex {
    this.#builder ??= bindKnex(this.knex, async () => {
      for (const statement of this.takeLeading()) await this.#send(statement);
      return this.connection;
    });
    return this.#builder;
  }

  async #send(statement: Statement): Promise<void> {
    try {
      await this.connection.query(statement.text, [...statement.values]);
    } catch (error) {
      this.hasFailed = true;
      throw failureOf(statement, error as Error);
    }
  }

  get #name(): string {
    return `plinth_${this.#depth}`;
  }
}

const DEFAULT_RETRIES = 10;
/** Longest pause before the first retry, in milliseconds; doubles with each one, up to the longest of all. */
const RETRY_PAUSE = 20;
const LONGEST_PAUSE = 500;

/** Runs work in transactions and knows which one the calling async context is in. */
export class TransactionContext {
  readonly #knex: Knex;
  readonly #where: string;
  readonly #storage = new AsyncLocalStorage<TransactionScope | undefined>();
  /** Outermost transactions that are open. */
  #open = 0;

  /**
   * @param countStatement - called for each statement that begins or ends a transaction.
   * @param commit - in place of the statement alone.
   */
  constructor(
    { knex, where }: Pick<Driver, "knex" | "where">,
    private readonly countStatement: () => void,
    private readonly commit?: (connection: Client) => Promise<unknown>,
  ) {
    this.#knex = knex;
    this.#where = where;
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
        if (attempt >= retries || !isWorthAnotherTry(error)) throw error;
        await sleep(Math.random() * Math.min(RETRY_PAUSE * 2 ** attempt, LONGEST_PAUSE));
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
    if (outer === undefined) return await this.#runOutermost(work);
    const scope = new TransactionScope(outer.connection, outer, this.#knex);
    const turn = outer.lastInner.then(() => this.#runIn(scope, work));
    outer.lastInner = turn.catch(() => undefined);
    const result = await turn;
    outer.afterCommit.push(...scope.afterCommit);
    return result;
  }

  async #runOutermost<T>(work: () => Promise<T>): Promise<T> {
    const connection = await acquireConnection(this.#knex);
    const scope = new TransactionScope(connection, undefined, this.#knex);
    const result = await this.#whileOpen(() => this.#runIn(scope, work)).finally(() =>
      releaseConnection(this.#knex, connection),
    );
    this.#storage.run(undefined, () => runAll(scope.afterCommit));
    return result;
  }

  /**
   * Node follows every promise of the process for as long as a storage is enabled, those of reads too, which takes a
   * quarter of their time. It is not needed while no transaction is open; the next one enables it again.
   */
  async #whileOpen<T>(run: () => Promise<T>): Promise<T> {
    this.#open += 1;
    try {
      return await run();
    } finally {
      this.#open -= 1;
      if (this.#open === 0) this.#storage.disable();
    }
  }

  async #runIn<T>(scope: TransactionScope, work: () => Promise<T>): Promise<T> {
    try {
      const value = await this.#storage.run(scope, work);
      await settle(scope);
      await assertCommittable(scope);
      scope.isOpen = false;
      if (scope.hasBegun && !scope.hasEnded) await this.#end(scope);
      return value;
    } catch (error) {
      scope.isOpen = false;
      await settle(scope);
      if (scope.hasBegun) await this.#undo(scope);
      throw error;
    }
  }

  /** Nothing can fail in the end of a savepoint, so no caller waits for it. */
  async #end(scope: TransactionScope): Promise<void> {
    if (scope.outer) scope.outer.release(scope);
    else
      await (this.commit?.(scope.connection) ?? this.#send(scope.connection, scope.closing)).catch((error: unknown) => {
        throw toCommitError(error, this.#where);
      });
  }

  /** A connection on which a transaction may still be open is not used again. */
  async #undo(scope: TransactionScope): Promise<void> {
    try {
      for (const text of scope.undoing) await this.#send(scope.connection, text);
    } catch (error) {
      // In a savepoint the error that led here counts, and what is outside of it ends the same way.
      if (scope.outer === undefined) disposeConnection(scope.connection, error);
      else scope.outer.hasFailed = true;
    }
  }

  async #send(connection: Client, text: string): Promise<void> {
    this.countStatement();
    await runStatement(connection, { text });
  }
}

/** What was asked for at once may still be running. */
async function settle(scope: TransactionScope): Promise<void> {
  await scope.lastStatement;
  await scope.lastInner;
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

function runAll(tasks: readonly (() => void)[]): void {
  for (const task of tasks) task();
}

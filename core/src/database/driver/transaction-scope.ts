import type { Knex } from "knex";
import type { Client } from "pg";
import { withBoundValues } from "./batch.js";
import type { Deferred, Statement } from "./database.js";
import { bindKnex } from "./knex-internals.js";

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
    const deferred = new DeferredStatement(statement);
    this.#deferred.push(deferred);
    return deferred;
  }

  /** What has to be sent before the next statement, what was put off included: the caller sends it. */
  takeLeading(): readonly Statement[] {
    const deferred = this.#deferred;
    this.#deferred = [];
    const statements = deferred.map((each) => each.take());
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

  async #send({ text, values }: Statement): Promise<void> {
    try {
      await this.connection.query(text, [...values]);
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }

  get #name(): string {
    return `plinth_${this.#depth}`;
  }
}

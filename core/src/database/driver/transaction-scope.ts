import type { Knex } from "knex";
import type { Client } from "pg";
import { bindKnex } from "./bound-knex.js";

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
  /** Its last statements took the commit along. */
  hasEnded = false;
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

  /** What has to be sent before the next statement: the caller of this getter sends it. */
  takeOpening(): readonly string[] {
    if (this.#hasBegun) return [];
    this.#hasBegun = true;
    return this.outer === undefined ? ["begin"] : [...this.outer.takeOpening(), `savepoint ${this.#name}`];
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
      for (const text of this.takeOpening()) await this.connection.query(text);
      return this.connection;
    });
    return this.#builder;
  }

  get #name(): string {
    return `plinth_${this.#depth}`;
  }
}

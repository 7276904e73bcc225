import type { Database, Statement } from "../driver/database.js";
import { ReadsBusyError } from "../errors.js";

/** Of the connections, one in so many is for expensive reads. */
const SHARE = 10;

/** Expensive reads that may wait for each connection that they have. */
const WAITING = 32;

/**
 * Runs expensive reads a few at a time, however many callers there are, and each for a limited time: the other
 * connections are left to short reads and to writes.
 */
export class ExpensiveReads {
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(private readonly db: Pick<Database, "connections" | "query">) {
    this.#atOnce = Math.max(1, Math.floor(db.connections / SHARE));
  }

  /**
   * The rows of a statement.
   *
   * @param time - milliseconds that it may run; waiting does not count.
   * @throws PLINTH_READ_BUSY (503) where too many wait already, PLINTH_DATABASE_TIMEOUT (503)
   */
  async read(statement: Statement, time: number): Promise<readonly object[]> {
    await this.#enter();
    try {
      return await this.db.query({ ...statement, time });
    } finally {
      this.#leave();
    }
  }

  #enter(): Promise<void> | void {
    if (this.#running < this.#atOnce) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= this.#atOnce * WAITING) throw new ReadsBusyError({ atOnce: this.#atOnce });
    return new Promise<void>((go) => this.#waiting.push(go));
  }

  /** The first in the queue takes the place. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}

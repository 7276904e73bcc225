import type { Position } from "./position.js";

/** A server that follows the primary, and what it has told of itself. */
export class Replica<Pool> {
  /** Reads that it works on. */
  busy = 0;
  /** What it has replayed at least, for ever after; undefined while it is not known. */
  position: Position | undefined;
  /** When it was asked for that, as of `performance.now()`. */
  askedAt = Number.NEGATIVE_INFINITY;

  constructor(readonly pool: Pool) {}

  /** Runs a read on it. */
  async run<T>(read: (pool: Pool) => Promise<T>): Promise<T> {
    this.busy += 1;
    try {
      return await read(this.pool);
    } finally {
      this.busy -= 1;
    }
  }
}

/** Milliseconds that a caller may wait for a connection; longer for a while is too much. */
const TARGET = 200;
/** Milliseconds for which even the shortest wait has to be over the target: a burst that the pool works off is none. */
const INTERVAL = 500;
/** Milliseconds without such waits after which everybody may wait again. */
const CALM = 5_000;
/** Milliseconds in which no more are admitted than there is room for: they do not stand in line before they ask. */
const TURN = 20;

/** The callers that wait for a connection. */
export interface Line {
  readonly length: number;
  /** Turns away all but the first. */
  cut(room: number): void;
}

/**
 * Tells by the age of those who wait for a connection when there are too many, as CoDel does: a long line is none as long as
 * it is worked off now and then. When the shortest wait of 500 ms was over 200 ms, as many may wait as got their connection
 * in 200 ms, but not fewer than there are connections: those wait for one turn of each, and so few clients are no overload,
 * however slow the database is. With everybody who need not wait at all it is one more. A caller that need not wait costs a
 * comparison.
 *
 * @source https://queue.acm.org/detail.cfm?id=2209336, Controlling Queue Delay; RFC 8289
 */
export class WaitingLine {
  /** How many may wait. */
  #room = Number.POSITIVE_INFINITY;
  /** Who is first in line waits at least since then. Times are as of `performance.now()`. */
  #movedAt = 0;
  /** Since when all waits were over the target. */
  #lateSince: number | undefined;
  #lateAt = 0;
  /** Who got their connection since then. */
  #served = 0;
  #turnAt = 0;
  #left = 0;

  /** @param connections - of the pool */
  constructor(
    private readonly line: Line,
    private readonly connections: number,
  ) {}

  /** Somebody gets a connection without waiting. */
  pass(): void {
    this.#lateSince = undefined;
    this.#room += 1;
  }

  /** Somebody begins to wait. */
  join(now: number): void {
    if (this.line.length === 0) this.#movedAt = now;
  }

  /** Somebody got a connection who had waited so many milliseconds. */
  serve(waited: number, now: number): void {
    this.#served += 1;
    this.#movedAt = now;
    this.#note(waited, now);
  }

  /**
   * Whether there is room for one more, who is expected to come soon if so. Turns away the newest where more wait than there
   * is room for.
   */
  admits(now = performance.now()): boolean {
    const { length } = this.line;
    if (length === 0 && this.#room === Number.POSITIVE_INFINITY) return true;
    const waited = now - this.#movedAt;
    if (length > 0 && waited > TARGET) this.#note(waited, now);
    if (now - this.#lateAt > CALM) this.#room = Number.POSITIVE_INFINITY;
    if (length > this.#room) this.line.cut(this.#room);
    if (now - this.#turnAt >= TURN) {
      this.#turnAt = now;
      this.#left = this.#room - this.line.length;
    }
    this.#left -= 1;
    return this.#left >= 0;
  }

  #note(waited: number, now: number): void {
    if (waited <= TARGET) {
      this.#lateSince = undefined;
      return;
    }
    this.#lateAt = now;
    if (this.#lateSince !== undefined && now - this.#lateSince < INTERVAL) return;
    if (this.#lateSince !== undefined)
      this.#room = Math.max(this.connections, Math.round((this.#served * TARGET) / (now - this.#lateSince)));
    this.#lateSince = now;
    this.#served = 0;
  }
}

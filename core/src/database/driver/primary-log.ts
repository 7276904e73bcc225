import type { Position } from "./position.js";

/** A position, and a time at which the primary had reached it; as of `performance.now()`. */
interface Sample {
  readonly lsn: number;
  readonly at: number;
}

/** How many samples are kept of the time that a replica may be behind. */
const SAMPLES = 20;

/** Where the primary was when: how old what a replica shows is, without comparing clocks of machines. */
export class PrimaryLog {
  #position: Position | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #samples: Sample[] = [];

  /** @param maxLag - the oldest that is of interest, in milliseconds. */
  constructor(private readonly maxLag: number) {}

  /** What it has reached at least. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** When it was asked for that. */
  get askedAt(): number {
    return this.#askedAt;
  }

  /** Notes what it answered. @param at - when it was asked */
  add(position: Position, at: number): void {
    this.raise(position);
    if (position.timeline < (this.#position?.timeline ?? 0)) return;
    this.#askedAt = at;
    const last = this.#samples.at(-1);
    if (last && (position.lsn <= last.lsn || at - last.at < this.maxLag / SAMPLES)) return;
    this.#samples.push({ lsn: position.lsn, at });
    while (this.#samples.length > 2 && (this.#samples[1] as Sample).at < at - this.maxLag) this.#samples.shift();
  }

  /** Notes that it is at a position or beyond. Places of another timeline say nothing of this one. */
  raise(position: Position): void {
    const { timeline = 0, lsn = -1 } = this.#position ?? {};
    if (position.timeline > timeline) this.#samples = [];
    if (position.timeline > timeline || (position.timeline === timeline && position.lsn > lsn))
      this.#position = position;
  }

  /** How old what a server of this timeline shows may be at a time, in milliseconds; Infinity where it is not known. */
  lagOf({ lsn }: Position, now: number): number {
    const missing = this.#samples.findIndex((sample) => sample.lsn > lsn);
    if (missing === -1) return this.#samples.length > 0 ? 0 : Number.POSITIVE_INFINITY;
    return missing === 0 ? Number.POSITIVE_INFINITY : now - (this.#samples[missing] as Sample).at;
  }
}

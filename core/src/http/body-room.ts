import { BodiesWaitError } from "./errors.js";

/** Milliseconds that a body may wait for memory. */
const MAX_WAIT = 10_000;

interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

/** Limits the bytes of large bodies that are read and processed at once; further ones wait in order. */
export class BodyRoom {
  #taken = 0;
  #waiting: readonly Waiting[] = [];

  /** @param total - in bytes. */
  constructor(private readonly total: number) {}

  /**
   * Runs `work` once there is memory for a body. One that is larger than the whole limit runs alone.
   *
   * @throws PLINTH_HTTP_BODIES_WAIT (503) when there is none within 10 seconds
   */
  async run<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    const needed = Math.min(bytes, this.total);
    if (this.#waiting.length > 0 || !this.#fits(needed)) await this.#enter(needed);
    else this.#taken += needed;
    try {
      return await work();
    } finally {
      this.#taken -= needed;
      this.#admit();
    }
  }

  #fits(bytes: number): boolean {
    return this.#taken + bytes <= this.total;
  }

  #enter(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        bytes,
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(new BodiesWaitError({ total: this.total, waited: MAX_WAIT }));
        this.#admit();
      }, MAX_WAIT);
      this.#waiting = [...this.#waiting, waiting];
    });
  }

  #admit(): void {
    for (let [next] = this.#waiting; next && this.#fits(next.bytes); [next] = this.#waiting) {
      this.#waiting = this.#waiting.slice(1);
      this.#taken += next.bytes;
      next.enter();
    }
  }
}

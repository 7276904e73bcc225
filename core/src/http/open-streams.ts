import { StreamEndError } from "./errors.js";

/** Ends a stream, after what its client has to know; from then on it is removed by the code that added it. */
type EndStream = () => void;

/**
 * The answers of this process that stay open, such as those of server-sent events. They are no load, and would keep a
 * process from stopping: so they end as soon as it is about to, and their clients connect to another one.
 */
export class OpenStreams {
  readonly #ends = new Set<EndStream>();
  #isEnding = false;

  /** How many there are. */
  get count(): number {
    return this.#ends.size;
  }

  /** Whether the process is about to stop: nothing may be added any more. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Adds a stream that has begun. @returns removes it; for when it has ended, whyever @throws PLINTH_HTTP_STREAM_END */
  add(end: EndStream): () => void {
    if (typeof end !== "function") throw new StreamEndError({ given: typeof end });
    this.#ends.add(end);
    return () => void this.#ends.delete(end);
  }

  /** Ends all of them. */
  endAll(): void {
    this.#isEnding = true;
    for (const end of [...this.#ends]) end();
  }

  /** The process takes requests, for the first time or again. */
  begin(): void {
    this.#isEnding = false;
  }
}

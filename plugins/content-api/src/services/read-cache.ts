import type { PreparedRead } from "@plinth/core";

/** Reads that are kept; the least recently used goes first, because clients can mint query strings. */
const CAPACITY = 1000;

/** A query string longer than this is parsed every time, so that what is kept stays bounded in bytes as well. */
const MAX_KEY_LENGTH = 4096;

/** Reads by what they were parsed from. */
export class ReadCache {
  readonly #reads = new Map<string, PreparedRead>();

  /** The read of a key, made when it is not known; what `make` throws is thrown. */
  get(key: string, make: () => PreparedRead): PreparedRead {
    const known = this.#reads.get(key);
    if (known) {
      this.#reads.delete(key);
      this.#reads.set(key, known);
      return known;
    }
    const read = make();
    // Rules may hold values of the actor or of the moment.
    if (read.hasRules || key.length > MAX_KEY_LENGTH) return read;
    this.#reads.set(key, read);
    if (this.#reads.size > CAPACITY) this.#reads.delete(this.#reads.keys().next().value as string);
    return read;
  }
}

import { LRUCache } from "lru-cache";

/** What a cache has to know about the world. */
export interface CacheOptions<Value> {
  /** What all that is kept may come to; what was not used for longest goes first. */
  readonly limit: number;
  /** What one thing comes to; default: 1 each, so that `limit` is their number. */
  sizeOf?(value: Value): number;
  /** False while changes cannot be heard of: nothing is kept then. */
  isReliable(): boolean;
}

/** In an object of its own, because the cache keeps no undefined. */
interface Kept<Value> {
  readonly value: Value;
}

/**
 * Keeps what is expensive to read until it is told to forget it. What was being read while it was forgotten is handed
 * out and not kept: it may be from before the change.
 */
export class InvalidatingCache<Key extends string | number, Value> {
  readonly #kept: LRUCache<Key, Kept<Value>, () => Promise<Value>>;
  readonly #options: CacheOptions<Value>;

  constructor(options: CacheOptions<Value>) {
    const { limit, sizeOf = () => 1 } = options;
    this.#options = options;
    this.#kept = new LRUCache({
      maxSize: limit,
      sizeCalculation: ({ value }) => sizeOf(value),
      fetchMethod: async (_key, _stale, { context }) => ({ value: await context() }),
      // Callers of a read that is forgotten meanwhile get what it reads.
      ignoreFetchAbort: true,
    });
  }

  /** The value of a key, read when it is not kept. A read that fails is not kept. */
  async get(key: Key, read: () => Promise<Value>): Promise<Value> {
    if (!this.#options.isReliable()) return read();
    const known = this.#kept.get(key);
    if (known) return known.value;
    const { value } = await this.#kept.forceFetch(key, { context: read });
    if (!this.#options.isReliable()) this.#kept.delete(key);
    return value;
  }

  forget(key: Key): void {
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }
}

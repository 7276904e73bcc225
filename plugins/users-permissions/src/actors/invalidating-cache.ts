import { LRUCache } from "lru-cache";

/** Options of a cache. */
export interface CacheOptions<Value> {
  /** Largest sum of sizes; the least recently used values are dropped first. */
  readonly limit: number;
  /** Size of a value; default: 1 each, so that `limit` is their number. */
  sizeOf?(value: Value): number;
  /** False while notifications of changes cannot arrive: nothing is kept then. */
  isReliable(): boolean;
}

/** In an object of its own, because the cache keeps no undefined. */
interface Kept<Value> {
  readonly value: Value;
}

/**
 * Keeps values that are expensive to read until they are invalidated. A value whose read had begun before the
 * invalidation is returned and not kept: it may be from before the change.
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
      // Callers of a read that is invalidated meanwhile get what it reads.
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

  invalidate(key: Key): void {
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }
}

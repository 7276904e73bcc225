/** What a cache has to know about the world. */
export interface CacheOptions<Value> {
  /** What all that is kept may come to; what came in first goes first. */
  readonly limit: number;
  /** What one thing comes to; default: 1 each, so that `limit` is their number. */
  sizeOf?(value: Value): number;
  /** False while changes cannot be heard of: nothing is kept then. */
  isReliable(): boolean;
}

/**
 * Keeps what is expensive to read until it is told to forget it. What was being read while something was forgotten is
 * handed out and not kept: it may be from before the change.
 */
export class InvalidatingCache<Key, Value> {
  readonly #kept = new Map<Key, Kept<Value>>();
  readonly #options: CacheOptions<Value>;
  #changes = 0;
  #size = 0;

  constructor(options: CacheOptions<Value>) {
    this.#options = options;
  }

  /** The value of a key, read when it is not kept. A read that fails is not kept. */
  get(key: Key, read: () => Promise<Value>): Promise<Value> {
    if (!this.#options.isReliable()) return read();
    const kept = this.#kept.get(key);
    if (kept) return kept.value;
    const value = read();
    this.#keep(key, { value, size: 1 });
    return value;
  }

  forget(key: Key): void {
    this.#changes++;
    this.#drop(key);
  }

  clear(): void {
    this.#changes++;
    this.#kept.clear();
    this.#size = 0;
  }

  #keep(key: Key, kept: Kept<Value>): void {
    const before = this.#changes;
    // Those who ask while it is read wait for the same read, unless it is forgotten meanwhile.
    this.#kept.set(key, kept);
    this.#size += kept.size;
    const dropSame = () => {
      if (this.#kept.get(key) === kept) this.#drop(key);
    };
    kept.value.then((value) => {
      if (this.#changes !== before || !this.#options.isReliable()) dropSame();
      else this.#weigh(key, kept, value);
    }, dropSame);
    this.#shrink();
  }

  #weigh(key: Key, kept: Kept<Value>, value: Value): void {
    if (this.#kept.get(key) !== kept) return;
    const size = this.#options.sizeOf?.(value) ?? 1;
    this.#size += size - kept.size;
    kept.size = size;
    this.#shrink();
  }

  #drop(key: Key): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }

  #shrink(): void {
    for (const key of this.#kept.keys()) {
      if (this.#size <= this.#options.limit) return;
      this.#drop(key);
    }
  }
}

/** One thing; its size is known when it has been read. */
interface Kept<Value> {
  readonly value: Promise<Value>;
  size: number;
}

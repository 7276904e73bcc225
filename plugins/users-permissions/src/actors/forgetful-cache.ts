/** What a cache has to know about the world. */
export interface CacheOptions {
  /** How many things are kept; the one that came in first goes first. */
  readonly limit: number;
  /** False while changes cannot be heard of: nothing is kept then. */
  isReliable(): boolean;
}

/**
 * Keeps what is expensive to read until it is told to forget it. What was being read while something was forgotten is
 * handed out and not kept: it may be from before the change.
 */
export class ForgetfulCache<Key, Value> {
  readonly #kept = new Map<Key, Promise<Value>>();
  readonly #options: CacheOptions;
  #changes = 0;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  /** The value of a key, read when it is not kept. A read that fails is not kept. */
  get(key: Key, read: () => Promise<Value>): Promise<Value> {
    if (!this.#options.isReliable()) return read();
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const value = read();
    this.#keep(key, value);
    return value;
  }

  forget(key: Key): void {
    this.#changes++;
    this.#kept.delete(key);
  }

  clear(): void {
    this.#changes++;
    this.#kept.clear();
  }

  #keep(key: Key, value: Promise<Value>): void {
    const before = this.#changes;
    // Those who ask while it is read wait for the same read, unless it is forgotten meanwhile.
    this.#kept.set(key, value);
    const drop = () => {
      if (this.#kept.get(key) === value) this.#kept.delete(key);
    };
    value.then(() => {
      if (this.#changes !== before || !this.#options.isReliable()) drop();
    }, drop);
    if (this.#kept.size <= this.#options.limit) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}

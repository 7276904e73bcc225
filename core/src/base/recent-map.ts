/**
 * What was used lately, by key: at most `capacity` entries, and at least the half of them that was used last. An entry
 * moves only when it is about to be forgotten, so that finding one costs no more than in a Map.
 */
export class RecentMap<Key, Value extends object | string> {
  readonly #half: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** @param capacity - 2 or more. */
  constructor(capacity: number) {
    this.#half = Math.floor(capacity / 2);
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    this.#old.delete(key);
    this.#young.set(key, value);
    if (this.#young.size < this.#half) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  /** The value of a key, made when it is not known; what `make` throws is thrown. */
  getOrMake(key: Key, make: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}

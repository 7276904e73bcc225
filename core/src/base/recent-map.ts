/** How much a RecentMap may hold beside a number of entries. */
export interface Weights<Key, Value> {
  /** Bytes of an entry, or what stands for them. */
  readonly of: (key: Key, value: Value) => number;
  /** Of all entries together. One that takes an eighth of it is not kept at all. */
  readonly most: number;
}

/** The part of all that one entry may weigh. */
const LARGEST = 1 / 8;

/**
 * What was used lately, by key: at most `capacity` entries, and at least the half of them that was used last. An entry
 * moves only when it is about to be forgotten, so that finding one costs no more than in a Map.
 */
export class RecentMap<Key, Value extends object | string> {
  readonly #half: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  /** Weight of the young ones. */
  #weight = 0;

  /** @param capacity - 2 or more. */
  constructor(
    capacity: number,
    private readonly weights?: Weights<Key, Value>,
  ) {
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
    const { of = () => 0, most = 1 } = this.weights ?? {};
    const weight = of(key, value);
    this.#old.delete(key);
    if (weight > most * LARGEST) {
      this.#young.delete(key);
      return;
    }
    this.#young.set(key, value);
    this.#weight += weight;
    if (this.#young.size < this.#half && this.#weight <= most / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#weight = 0;
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

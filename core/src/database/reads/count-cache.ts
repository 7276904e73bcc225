import { LRUCache } from "lru-cache";
import type { CacheableCount } from "./compile-total.js";

/** Totals that are kept; bounded, because clients can send any number of filters. */
const CAPACITY = 5000;

/** Characters of all of them together, of two bytes at most: clients can also send long lists of values. */
const MOST = 2_000_000;

/** A total, and the stamp of its tables when it was counted; int8 as text. */
interface Counted {
  readonly stamp: string;
  readonly total: string;
}

/** What was counted the last time. */
export interface CachedCount extends Counted {
  /** Whether nothing was written between the last two reads: most likely it still holds. */
  readonly isStable: boolean;
}

/** What filtered lists counted the last time. The statement decides whether it still holds. */
export class CountCache {
  readonly #known = new LRUCache<string, CachedCount>({
    max: CAPACITY,
    maxSize: MOST,
    maxEntrySize: MOST / 8,
    sizeCalculation: ({ stamp, total }, key) => key.length + stamp.length + total.length,
  });

  get(kept: CacheableCount, values: readonly unknown[]): CachedCount | undefined {
    return this.#known.get(keyOf(kept, values));
  }

  set(kept: CacheableCount, values: readonly unknown[], { stamp, total }: Counted): void {
    const key = keyOf(kept, values);
    this.#known.set(key, { stamp, total, isStable: this.#known.get(key)?.stamp === stamp });
  }
}

const keyOf = ({ key, slots }: CacheableCount, values: readonly unknown[]): string =>
  key + JSON.stringify(slots.map((slot) => values[slot]));

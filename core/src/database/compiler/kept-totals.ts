import { RecentMap } from "../../base/recent-map.js";
import type { Slot } from "../query.js";
import { KNOWN_STAMP, KNOWN_TOTAL, type KeptTotal } from "./compile-total.js";

/** Totals that are kept; bounded, because clients can mint filters. */
const CAPACITY = 5000;

/** Totals of longer lists of values are not kept, so that what is kept stays bounded in bytes as well. */
const MAX_KEY_LENGTH = 1000;

/** A total, and the stamp of its tables when it was counted; int8 as text. */
interface Known {
  readonly stamp: string;
  readonly total: string;
}

/** What filtered lists counted the last time. Whether it still holds is for the statement to say. */
export class KeptTotals {
  readonly #known = new RecentMap<string, Known>(CAPACITY);

  /** The values of the slots that stand for what is known. */
  recall(kept: KeptTotal, values: readonly unknown[]): ReadonlyMap<Slot, string> {
    const known = this.#known.get(keyOf(kept, values));
    return known
      ? new Map([
          [KNOWN_STAMP, known.stamp],
          [KNOWN_TOTAL, known.total],
        ])
      : NOTHING;
  }

  keep(kept: KeptTotal, values: readonly unknown[], known: Known): void {
    const key = keyOf(kept, values);
    if (key.length <= MAX_KEY_LENGTH) this.#known.set(key, known);
  }
}

const NOTHING: ReadonlyMap<Slot, string> = new Map();

const keyOf = ({ key, slots }: KeptTotal, values: readonly unknown[]): string =>
  key + JSON.stringify(slots.map((slot) => values[slot]));

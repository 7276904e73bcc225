import type { NewEntry } from "./new-entry.js";

/** Milliseconds in which equal refusals are one entry, and a second one that counts the others. */
export const WINDOW = 10_000;
/** Kinds of refusals that have entries of their own in that time; of all others there is one entry. */
export const MOST_KINDS = 100;

/** Refusals of one kind since their first one. */
interface Burst {
  /** The latest. */
  entry: NewEntry;
  count: number;
}

/**
 * Keeps a flood of refusals small: every client can cause them. Of a kind, the first is an entry, and those that follow within some
 * seconds are counted in a second one. What differs in the document alone is of one kind.
 */
export class Bursts {
  #bursts = new Map<string, Burst>();
  #others = 0;
  #endsAt = 0;

  /** @param now - milliseconds. @returns whether the entry is to be written now; else it is counted */
  admit(entry: NewEntry, now: number): boolean {
    if (this.#bursts.size === 0 && this.#others === 0) this.#endsAt = now + WINDOW;
    const kind = kindOf(entry);
    const known = this.#bursts.get(kind);
    if (known) {
      known.entry = entry;
      known.count += 1;
      return false;
    }
    if (this.#bursts.size >= MOST_KINDS) {
      this.#others += 1;
      return false;
    }
    this.#bursts.set(kind, { entry, count: 0 });
    return true;
  }

  /** The entries that count. @param isLast - also of a time that is not over. */
  end(now: number, isLast = false): readonly NewEntry[] {
    if (now < this.#endsAt && !isLast) return [];
    const counted = [...this.#bursts.values()].flatMap(({ entry, count }) =>
      count === 0 ? [] : [{ ...entry, details: { ...entry.details, count } }],
    );
    const others = this.#others === 0 ? [] : [othersOf(this.#others)];
    this.#bursts = new Map();
    this.#others = 0;
    return [...counted, ...others];
  }
}

function kindOf({ action, result, transport, actor_kind, actor_id, uid, address, details }: NewEntry): string {
  return JSON.stringify([action, result, transport, actor_kind, actor_id, uid, address, details]);
}

/** Those that nothing is known of but their number. */
function othersOf(count: number): NewEntry {
  return {
    ...{ action: "access.refuse", result: "refused", transport: "rest", actor_kind: null, actor_id: null, uid: null },
    ...{ document_id: null, locales: null, attributes: null, request_id: null, address: null, agent: null },
    details: { count, others: true },
  };
}

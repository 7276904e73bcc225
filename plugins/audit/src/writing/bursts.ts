import type { NewEntry } from "./new-entry.js";

/** Milliseconds in which equal refusals are one entry, and a second one that counts the others. */
export const WINDOW = 10_000;
/** Kinds that have entries of their own in that time, of each group; of all others there is one entry for each action. */
export const MOST_KINDS = 100;

/** Groups of actions that have room of their own: neither refused requests nor readers of the log take it from sign-ins. */
const GROUPS = ["auth.", "audit."] as const;
type Group = (typeof GROUPS)[number] | "";

/** Refusals of one kind since their first one. */
interface Burst {
  /** The latest. */
  entry: NewEntry;
  count: number;
}

/**
 * Keeps a flood of refusals small: every client can cause them. Of a kind, the first is an entry, and those that follow within some
 * seconds are counted in a second one. What differs in the document alone is of one kind, but of `auth.*`: there it is the account.
 */
export class Bursts {
  readonly #bursts = new Map<Group, Map<string, Burst>>();
  readonly #others = new Map<string, Burst>();
  #endsAt = 0;

  /** @param now - milliseconds. @returns whether the entry is to be written now; else it is counted */
  admit(entry: NewEntry, now: number): boolean {
    if (this.#bursts.size === 0) this.#endsAt = now + WINDOW;
    const bursts = this.#burstsOf(groupOf(entry));
    const kind = kindOf(entry);
    if (!bursts.has(kind) && bursts.size >= MOST_KINDS) {
      this.#leaveOut(entry);
      return false;
    }
    return count(bursts, kind, entry, 0) === 0;
  }

  /** The entries that count. @param isLast - also of a time that is not over. */
  end(now: number, isLast = false): readonly NewEntry[] {
    if (now < this.#endsAt && !isLast) return [];
    const counted = [...this.#bursts.values()].flatMap((bursts) =>
      [...bursts.values()].flatMap((burst) => (burst.count === 0 ? [] : [countedOf(burst)])),
    );
    const others = [...this.#others.values()].map(countedOf);
    this.#bursts.clear();
    this.#others.clear();
    return [...counted, ...others];
  }

  #burstsOf(group: Group): Map<string, Burst> {
    const bursts = this.#bursts.get(group) ?? new Map<string, Burst>();
    this.#bursts.set(group, bursts);
    return bursts;
  }

  /** Of actions the code of an app may have any number as well: beyond the bound not even the action is known. */
  #leaveOut({ action, result, transport }: NewEntry): void {
    const kind = JSON.stringify([action, result, transport]);
    const hasRoom = this.#others.has(kind) || this.#others.size < MOST_KINDS;
    if (hasRoom) count(this.#others, kind, othersOf(action, result, transport), 1);
    else count(this.#others, "", othersOf("audit.lost", "failed", "code"), 1);
  }
}

/** Notes one more of a kind. @param first - the count of the first. @returns the count now */
function count(bursts: Map<string, Burst>, kind: string, entry: NewEntry, first: number): number {
  const burst = bursts.get(kind) ?? { entry, count: first - 1 };
  bursts.set(kind, burst);
  burst.entry = entry;
  burst.count += 1;
  return burst.count;
}

const groupOf = ({ action }: NewEntry): Group => GROUPS.find((group) => action.startsWith(group)) ?? "";

function kindOf(entry: NewEntry): string {
  const { action, result, transport, actor_kind, actor_id, uid, address, details } = entry;
  const account = groupOf(entry) === "auth." ? entry.document_id : null;
  return JSON.stringify([action, result, transport, actor_kind, actor_id, uid, account, address, details]);
}

const countedOf = ({ entry, count: number }: Burst): NewEntry => ({
  ...entry,
  details: { ...entry.details, count: number },
});

/** Those that nothing is known of but what they were, and their number. */
function othersOf(action: string, result: NewEntry["result"], transport: string): NewEntry {
  return {
    ...{ action, result, transport, actor_kind: null, actor_id: null, uid: null },
    ...{ document_id: null, locales: null, attributes: null, request_id: null, address: null, agent: null },
    details: { others: true },
  };
}

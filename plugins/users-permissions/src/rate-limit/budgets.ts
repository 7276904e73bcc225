import { type Count, type Counters, counterKey } from "@plinth/core/access";
import { LRUCache } from "lru-cache";

/** The rest of a budget after one more request. */
export interface Budget {
  /** Requests in one interval. */
  readonly limit: number;
  readonly remaining: number;
  /** When the interval ends, in milliseconds since 1970. */
  readonly resetAt: number;
  /** Whether this request exceeds the budget. */
  readonly isSpent: boolean;
}

/** Requests that are counted under a key, so many in an interval. */
export interface Limited {
  readonly key: string;
  readonly limit: number;
}

/** Budgets of one interval. */
export interface Budgets {
  /** Counts one request under each key, and returns what is left, in the same order. */
  spend(limited: readonly Limited[]): Promise<readonly Budget[]>;
}

/** Spent budgets that are remembered, 4 MB: by hashes, because names of accounts are as long as clients want. */
const MAX_REMEMBERED = 10_000;

/** Makes budgets. A spent budget is cached, so that rejecting costs no statement. @param interval - in seconds. */
export function createBudgets(counters: Counters, interval: number): Budgets {
  const spent = new LRUCache<string, Budget>({ max: MAX_REMEMBERED });
  return {
    spend: async (limited) => {
      const hashes = limited.map(({ key }) => counterKey(key));
      const over = hashes.flatMap((hash) => spent.get(hash) ?? []).filter(({ resetAt }) => resetAt > Date.now());
      if (over.length > 0) return over;
      // Apps on one database that allow another number count apart.
      const additions = limited.map(({ key, limit }) => ({ key: `${limit}|${interval}|${key}`, by: 1, interval }));
      const counts = await counters.add(additions);
      const budgets = limited.map(({ limit }, index) => budgetOf(limit, counts[index]));
      for (const [index, budget] of budgets.entries()) if (budget.isSpent) spent.set(hashes[index] ?? "", budget);
      return budgets;
    },
  };
}

function budgetOf(limit: number, { value, endsAt }: Count = { value: 0, endsAt: Date.now() }): Budget {
  return { limit, remaining: Math.max(0, limit - value), resetAt: endsAt, isSpent: value > limit };
}

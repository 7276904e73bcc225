import type { HttpContext, Middleware } from "@plinth/core";
import { addressGroup, type Count, counterKey, type Counters } from "@plinth/core/access";
import { LRUCache } from "lru-cache";
import { bodyField } from "../body/check-body.js";
import type { RateLimitConfig } from "../config.js";
import { RateLimitedError } from "../errors.js";
import { nameKey } from "../users/name-key.js";

/** What a route says about its limit. */
export interface RateLimitOptions {
  /**
   * The field of the body that names the account, the one that the route really works with: each account has a budget
   * of its own, within that of the address. Without it the address has one budget: where the body holds a guess, such as
   * a code, every guess must count for the same.
   */
  readonly field?: string;
}

/** The counters, and the number of allowed requests. */
export interface RateLimit extends Pick<RateLimitConfig, "max" | "maxPerAddress"> {
  readonly budgets: Budgets;
  /** Called before an attempt is refused. */
  readonly refused: () => void;
}

/** One request that counts. */
export interface Attempt {
  /** The attempted action, over REST or GraphQL: `plugin::users-permissions.auth.callback`. */
  readonly action: string;
  /** The name of the account, as the client wrote it; undefined where the address has one budget. */
  readonly account: string | undefined;
}

/**
 * Makes the middleware of one route that counts every request, whether it succeeds or fails. Counted is by the action
 * of the route, so no spelling of a path has a budget of its own.
 *
 * @throws PLINTH_USERS_RATE_LIMITED (429) when a budget is spent
 * @source plugins/content-api/WIRE.md#rate-limits
 */
export function createRateLimit(limit: RateLimit, { field }: RateLimitOptions): Middleware {
  return async (ctx, next) => {
    const account = field === undefined ? undefined : readAccount(ctx, field);
    await countAttempt(limit, ctx, { action: String(ctx.state.route?.action), account });
    return next();
  };
}

/**
 * Counts an attempt from the address that koa reports, which is a proxy's header only where `server.proxy` says so.
 *
 * @throws PLINTH_USERS_RATE_LIMITED (429) when a budget is spent
 */
export async function countAttempt(limit: RateLimit, ctx: HttpContext, { action, account }: Attempt): Promise<void> {
  const { budgets, max, maxPerAddress } = limit;
  const place = `${action}|${addressGroup(ctx.ip)}`;
  const [first, ...others] = await budgets.spend(
    account === undefined
      ? [{ key: place, limit: max }]
      : [
          // Names are compared as those of accounts: what looks alike is one account.
          { key: `${place}|${nameKey(account)}`, limit: max },
          { key: place, limit: maxPerAddress },
        ],
  );
  if (!first) return;
  const tightest = others.reduce(tighter, first);
  setHeaders(ctx, tightest);
  if (!tightest.isSpent) return;
  limit.refused();
  throw new RateLimitedError({});
}

/** @throws PLINTH_USERS_RATE_LIMITED (429) @param retryAfter - in seconds. */
export function refuseAttempt({ refused }: Pick<RateLimit, "refused">, ctx: HttpContext, retryAfter: number): never {
  refused();
  ctx.set("Retry-After", String(retryAfter));
  throw new RateLimitedError({});
}

function readAccount(ctx: HttpContext, field: string): string {
  const value = bodyField(ctx, field);
  return typeof value === "string" ? value : "";
}

function tighter(one: Budget, other: Budget): Budget {
  if (one.isSpent !== other.isSpent) return one.isSpent ? one : other;
  return one.remaining <= other.remaining ? one : other;
}

function setHeaders(ctx: HttpContext, { limit, remaining, resetAt, isSpent }: Budget): void {
  ctx.set("X-RateLimit-Limit", String(limit));
  ctx.set("X-RateLimit-Remaining", String(remaining));
  ctx.set("X-RateLimit-Reset", String(Math.ceil(resetAt / 1000)));
  if (isSpent) ctx.set("Retry-After", String(Math.max(1, Math.ceil((resetAt - Date.now()) / 1000))));
}

/** The rest of a budget after one more request. */
interface Budget {
  /** Requests in one interval. */
  readonly limit: number;
  readonly remaining: number;
  /** When the interval ends, in milliseconds since 1970. */
  readonly resetAt: number;
  /** Whether this request exceeds the budget. */
  readonly isSpent: boolean;
}

/** Requests that are counted under a key, so many in an interval. */
interface Limited {
  readonly key: string;
  readonly limit: number;
}

/** Budgets of one interval. */
interface Budgets {
  /** Counts one request under each key, and returns what is left, in the same order. */
  spend(limited: readonly Limited[]): Promise<readonly Budget[]>;
}

/** Spent budgets that are remembered, 4 MB: by hashes, because names of accounts are as long as clients want. */
const MAX_REMEMBERED = 10_000;

/** Makes budgets. A spent budget is cached, so that rejecting costs no statement. @param interval - in seconds. */
export function createBudgets(counters: Counters, interval: number): Budgets {
  // As a sum of sizes: for `max`, the cache would make room for all of them at each start, which takes 0.7 ms.
  const spent = new LRUCache<string, Budget>({ maxSize: MAX_REMEMBERED, sizeCalculation: () => 1 });
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

import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";

/** What is left of a budget after one more request. */
export interface Budget {
  /** Requests in one interval. */
  readonly limit: number;
  readonly remaining: number;
  /** When the interval ends, in milliseconds since 1970. */
  readonly resetAt: number;
  /** Whether this request was one too many. */
  readonly isSpent: boolean;
}

/** Counts requests in fixed intervals, per key. */
export interface Counter {
  /** Counts one. @param key - any text; stored as a hash. */
  count(key: string): Promise<Budget>;
}

/** How counters count. */
export interface CounterOptions {
  readonly max: number;
  /** Length of an interval in seconds. */
  readonly interval: number;
  /** Where several processes count together; without it each process counts for itself. */
  readonly redis: Promise<Redis> | undefined;
}

const PREFIX = "plinth:limit";

/** Makes a counter. While Redis does not answer, the process counts for itself. */
export function createCounter({ max, interval, redis }: CounterOptions): Counter {
  const options = { points: max, duration: interval, keyPrefix: PREFIX };
  const memory = new RateLimiterMemory(options);
  const shared = redis?.then(
    (storeClient) =>
      new RateLimiterRedis({ ...options, storeClient, insuranceLimiter: memory, rejectIfRedisNotReady: true }),
  );
  return { count: async (key) => budgetOf(max, await consume((await shared) ?? memory, hash(key))) };
}

/**
 * A connection for counters: nothing waits for it, and what it has to complain about is passed on. Its library is loaded
 * only here, because most apps count in their process.
 */
export async function connectRedis(url: string, complain: (error: Error) => void): Promise<Redis> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });
  redis.on("error", complain);
  return redis;
}

/** The limiter rejects with the same figures when a budget is spent. */
async function consume(limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  }
}

function budgetOf(limit: number, { consumedPoints, remainingPoints, msBeforeNext }: RateLimiterRes): Budget {
  return { limit, remaining: remainingPoints, resetAt: Date.now() + msBeforeNext, isSpent: consumedPoints > limit };
}

/** Keys hold what clients sent: of any length, and nobody else's business. */
function hash(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

import { type Fail, isCount, readKeys } from "../config-values.js";

/** How often one address may ask one of the endpoints that somebody could guess at. */
export interface RateLimitConfig {
  /** Whether sign-ins, registrations and the like are counted. */
  readonly enabled: boolean;
  /** Requests in one interval, per route, account and address. */
  readonly max: number;
  /** Requests in one interval, per route and address, for all accounts together. */
  readonly maxPerAddress: number;
  /** In seconds. */
  readonly interval: number;
  /** Wrong passwords in 15 intervals, per account and wide network (/16 of IPv4, /32 of IPv6) that nobody signed in from before. */
  readonly maxFailures: number;
  /** The same from all such networks together; beyond it they take turns, one in five seconds. */
  readonly maxFailuresPerAccount: number;
  /** `redis://...`, to count there and not in the database. */
  readonly redis: string | undefined;
}

const ADDRESS_FACTOR = 5;
const FAILURES_FACTOR = 2;
const ACCOUNT_FACTOR = 5;

/** @source plugins/content-api/WIRE.md#rate-limits */
export const rateLimitDefaults: RateLimitConfig = {
  enabled: true,
  max: 10,
  maxPerAddress: 10 * ADDRESS_FACTOR,
  interval: 60,
  maxFailures: 10 * FAILURES_FACTOR,
  maxFailuresPerAccount: 10 * ACCOUNT_FACTOR,
  redis: undefined,
};

/** Reads `rateLimit: { max: 10, interval: 60, redis: env("REDIS_URL") }`. */
export function parseRateLimitConfig(value: unknown, fail: Fail): RateLimitConfig {
  const given: Partial<RateLimitConfig> = readKeys(value, Object.keys(rateLimitDefaults), fail);
  const max = isCount(given.max) ? given.max : rateLimitDefaults.max;
  const derived = {
    maxPerAddress: max * ADDRESS_FACTOR,
    maxFailures: max * FAILURES_FACTOR,
    maxFailuresPerAccount: max * ACCOUNT_FACTOR,
  };
  const config = { ...rateLimitDefaults, ...derived, ...given };
  if (typeof config.enabled !== "boolean") fail("has to say true or false under enabled");
  for (const key of ["max", "maxPerAddress", "interval", "maxFailures", "maxFailuresPerAccount"] as const)
    if (!isCount(config[key])) fail(`has to have a whole number from 1 under ${key}`);
  const redis = config.redis || undefined;
  if (redis !== undefined && !/^rediss?:\/\//.test(String(redis))) fail("has to have a redis:// URL under redis");
  return { ...config, redis };
}

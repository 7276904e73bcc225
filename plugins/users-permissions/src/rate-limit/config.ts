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
  /** `redis://...`, where several processes count together. */
  readonly redis: string | undefined;
}

const ADDRESS_FACTOR = 5;

/** @source wire.md section 9: 10 in 60 seconds */
export const rateLimitDefaults: RateLimitConfig = {
  enabled: true,
  max: 10,
  maxPerAddress: 10 * ADDRESS_FACTOR,
  interval: 60,
  redis: undefined,
};

/** Reads `rateLimit: { max: 10, interval: 60, redis: env("REDIS_URL") }`. */
export function parseRateLimitConfig(value: unknown, fail: Fail): RateLimitConfig {
  const given: Partial<RateLimitConfig> = readKeys(value, Object.keys(rateLimitDefaults), fail);
  const maxPerAddress = (given.max ?? rateLimitDefaults.max) * ADDRESS_FACTOR;
  const config = { ...rateLimitDefaults, maxPerAddress, ...given };
  if (typeof config.enabled !== "boolean") fail("has to say true or false under enabled");
  for (const key of ["max", "maxPerAddress", "interval"] as const)
    if (!isCount(config[key])) fail(`has to have a whole number from 1 under ${key}`);
  const redis = config.redis || undefined;
  if (redis !== undefined && !/^rediss?:\/\//.test(String(redis))) fail("has to have a redis:// URL under redis");
  return { ...config, redis };
}

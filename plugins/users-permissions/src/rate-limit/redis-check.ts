import { reasonOf } from "@plinth/core";
import type { HealthCheck } from "@plinth/core/http";
import type { RedisCounters } from "./redis-counters.js";

/** Milliseconds between two looks: as long as Redis is left alone after a failure. */
const INTERVAL = 5_000;

/** The health check `redis`: degraded at most, because limits are counted in the database meanwhile. */
export const redisCheck = (redis: Pick<RedisCounters, "ping">): HealthCheck => ({
  name: "redis",
  interval: INTERVAL,
  advice: "Rate limits are counted in the database meanwhile: see `rateLimit.redis` of users-permissions.",
  run: async () => {
    try {
      await redis.ping();
      return { status: "ok" };
    } catch (error) {
      return { status: "degraded", reason: `Redis does not answer: ${reasonOf(error)}` };
    }
  },
});

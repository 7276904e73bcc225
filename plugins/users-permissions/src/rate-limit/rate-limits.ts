import {
  type App,
  type HttpContext,
  implement,
  type Middleware,
  type MiddlewareFactory,
  type ServiceRef,
  serviceRef,
} from "@plinth/core";
import type { UsersPermissionsConfig } from "../config.js";
import type { RateLimitConfig } from "./config.js";
import { connectRedis, createCounter } from "./counter.js";
import { type Attempt, countAttempt, createRateLimit, type RateLimitOptions } from "./rate-limit.js";

/** The limits of one app. */
export interface RateLimits {
  middlewareOf(options: RateLimitOptions): Middleware;
  /** Counts what came another way than by a route of its own. @throws PLINTH_USERS_RATE_LIMITED (429) */
  count(ctx: HttpContext, attempt: Attempt): Promise<void>;
  /** Ends the connection to Redis. */
  close(): void;
}

/** The plugin's own: other plugins put the middleware `plugin::users-permissions.rate-limit` on their routes. */
export const rateLimits: ServiceRef<RateLimits> = serviceRef<RateLimits>("plugin::users-permissions.rate-limits");

/** Limits by the configuration `rateLimit`. */
export const rateLimitsImpl = implement<RateLimits, Record<never, never>, UsersPermissionsConfig>(rateLimits, {
  create: (_deps, { app, config }) => createRateLimits(app, config.rateLimit),
});

/** The middleware `rate-limit` of routes: `{ name: "rate-limit", config: { field: "identifier" } }`. */
export const rateLimitMiddleware: MiddlewareFactory = (config, { app }) =>
  app.service(rateLimits).middlewareOf(config as RateLimitOptions);

function createRateLimits(app: App, config: RateLimitConfig): RateLimits {
  const { enabled, max, maxPerAddress, interval } = config;
  if (!enabled)
    return { middlewareOf: () => (_ctx, next) => next(), count: async () => undefined, close: () => undefined };
  const redis = config.redis === undefined ? undefined : connectRedis(config.redis, complainer(app));
  const counters = {
    account: createCounter({ max, interval, redis }),
    address: createCounter({ max: maxPerAddress, interval, redis }),
  };
  return {
    middlewareOf: (options) => createRateLimit(counters, options),
    count: (ctx, attempt) => countAttempt(counters, ctx, attempt),
    close: () => void redis?.then((connection) => connection.disconnect()),
  };
}

/** A connection that is down complains at every attempt to get it back; once is enough. */
function complainer({ log }: App): (error: Error) => void {
  let last: string | undefined;
  return ({ message }) => {
    if (message !== last) log.warn(`Redis does not answer; rate limits hold for this process only: ${message}`);
    last = message;
  };
}

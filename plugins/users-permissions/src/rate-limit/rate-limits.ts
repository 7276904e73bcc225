import {
  type App,
  type HttpContext,
  implement,
  isPlinthError,
  type Middleware,
  type MiddlewareFactory,
  type ServiceRef,
  serviceRef,
} from "@plinth/core";
import { type Admission, createDatabaseCounters, createLoginGuard, type LoginOutcome } from "@plinth/core/access";
import { channels } from "@plinth/core/telemetry";
import type { RateLimitConfig, UsersPermissionsConfig } from "../config.js";
import { type Users, users } from "../contract.js";
import { nameKey } from "../users/name-key.js";
import {
  type Attempt,
  countAttempt,
  createBudgets,
  createRateLimit,
  type RateLimitOptions,
  refuseAttempt,
} from "./rate-limit.js";
import { redisCheck } from "./redis-check.js";
import { createRedisCounters } from "./redis-counters.js";

/** The limits of one app. */
export interface RateLimits {
  middlewareOf(options: RateLimitOptions): Middleware;
  /** Counts a request that did not come through its own route. @throws PLINTH_USERS_RATE_LIMITED (429) */
  count(ctx: HttpContext, attempt: Attempt): Promise<void>;
  /**
   * Runs a login, and counts a wrong password against the account, wherever it came from.
   *
   * @param identifier - what the client calls the account, by name or by address.
   * @throws PLINTH_USERS_RATE_LIMITED (429), and what the login throws
   */
  guardLogin<T>(ctx: HttpContext, identifier: unknown, login: () => Promise<T>): Promise<T>;
  /** Notes that a user has signed in from the address of a request, without a login. */
  remember(ctx: HttpContext, userId: number): Promise<void>;
  /** Ends the connection to Redis. */
  close(): void;
}

/** The plugin's own: other plugins put the middleware `plugin::users-permissions.rate-limit` on their routes. */
export const rateLimits: ServiceRef<RateLimits> = serviceRef<RateLimits>("plugin::users-permissions.rate-limits");

const deps = { users };

/** Limits by the configuration `rateLimit`. */
export const rateLimitsImpl = implement<RateLimits, typeof deps, UsersPermissionsConfig>(rateLimits, {
  deps,
  create: ({ users }, { app, config }) =>
    config.rateLimit.enabled ? createRateLimits(app, users, config.rateLimit) : NO_LIMITS,
});

/** The middleware `rate-limit` of routes: `{ name: "rate-limit", config: { field: "identifier" } }`. */
export const rateLimitMiddleware: MiddlewareFactory = (config, { app }) =>
  app.service(rateLimits).middlewareOf(config as RateLimitOptions);

const NO_LIMITS: RateLimits = {
  middlewareOf: () => (_ctx, next) => next(),
  count: async () => undefined,
  guardLogin: (_ctx, _identifier, login) => login(),
  remember: async () => undefined,
  close: () => undefined,
};

/** Wrong passwords are counted over more time than requests are. */
const GUARD_INTERVALS = 15;

function createRateLimits(app: App, users: Users, config: RateLimitConfig): RateLimits {
  const { max, maxPerAddress, interval } = config;
  const otherwise = createDatabaseCounters(app);
  const redis =
    config.redis === undefined
      ? undefined
      : createRedisCounters({ url: config.redis, otherwise, complain: complainer(app) });
  const unwatch = redis && app.health.add(redisCheck(redis));
  const counters = redis ?? otherwise;
  const refused = () => {
    if (channels.auth.hasSubscribers) channels.auth.publish({ app, kind: "attempt", result: "limited" });
  };
  const limit = { max, maxPerAddress, budgets: createBudgets(counters, interval), refused };
  const guard = createLoginGuard({
    counters,
    maxPerNetwork: config.maxFailures,
    maxPerAccount: config.maxFailuresPerAccount,
    interval: interval * GUARD_INTERVALS,
  });
  return {
    middlewareOf: (options) => createRateLimit(limit, options),
    count: (ctx, attempt) => countAttempt(limit, ctx, attempt),
    guardLogin: async (ctx, identifier, login) => {
      const account = await accountOf(users, identifier);
      if (account === undefined) return await login();
      const admission = await guard.enter({ account, address: ctx.ip });
      return admission.isAdmitted
        ? await runAdmitted(admission, login)
        : refuseAttempt(limit, ctx, admission.retryAfter);
    },
    remember: (ctx, userId) => guard.remember({ account: `user ${userId}`, address: ctx.ip }),
    close: () => {
      unwatch?.();
      redis?.close();
    },
  };
}

/** One text for an account however it is named; undefined without one. */
async function accountOf(users: Users, identifier: unknown): Promise<string | undefined> {
  if (typeof identifier !== "string" || identifier === "") return undefined;
  const account = await users.findByIdentifier(identifier);
  return account ? `user ${account.id}` : `name ${nameKey(identifier)}`;
}

type Admitted = Extract<Admission, { readonly isAdmitted: true }>;

async function runAdmitted<T>(admission: Admitted, login: () => Promise<T>): Promise<T> {
  try {
    const result = await login();
    await admission.end("right");
    return result;
  } catch (error) {
    await admission.end(isPlinthError(error) ? (OUTCOMES[error.code] ?? "unknown") : "unknown");
    throw error;
  }
}

/** The errors of a login that mean a wrong password. */
const OUTCOMES: Readonly<Record<string, LoginOutcome>> = {
  PLINTH_AUTH_WRONG_CREDENTIALS: "wrong",
  PLINTH_AUTH_BLOCKED: "right",
  PLINTH_AUTH_UNCONFIRMED: "right",
};

/** A broken connection reports every attempt to reconnect; one report is enough. */
function complainer({ log }: App): (error: Error) => void {
  let isTold = false;
  return ({ message }) => {
    if (!isTold) log.warn(`Redis does not answer; rate limits are counted in the database meanwhile: ${message}`);
    isTold = true;
  };
}

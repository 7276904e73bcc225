import { allowed, option, options, secret, whole, type OptionsOf } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";

const redis = v.pipe(
  v.union([v.literal(""), v.pipe(v.string(), v.regex(/^rediss?:\/\//))]),
  secret(),
  allowed("a redis:// URL"),
  v.transform((url) => url || undefined),
);

/**
 * How often one address may call an endpoint that could be used for guessing.
 *
 * @source plugins/content-api/WIRE.md#rate-limits
 */
export const rateLimitConfig = v.pipe(
  options({
    enabled: option(v.boolean(), "Whether sign-ins, registrations and the like are counted.", true),
    max: option(whole(1), "Requests in one interval, per route, account and address.", 10),
    maxPerAddress: option(
      whole(1),
      "Requests in one interval, per route and address, for all accounts together. Default: five times `max`.",
    ),
    interval: option(whole(1), "In seconds.", 60),
    maxFailures: option(
      whole(1),
      "Wrong passwords in 15 intervals, per account and wide network (/16 of IPv4, /32 of IPv6) that the account did not sign in from before. Default: twice `max`.",
    ),
    maxFailuresPerAccount: option(
      whole(1),
      "The same from all such networks together; beyond it they take turns, one in five seconds. Default: five times `max`.",
    ),
    redis: option(redis, "`redis://...`, to count there and not in the database."),
  }),
  v.transform((given) => ({
    ...given,
    maxPerAddress: given.maxPerAddress ?? 5 * given.max,
    maxFailures: given.maxFailures ?? 2 * given.max,
    maxFailuresPerAccount: given.maxFailuresPerAccount ?? 5 * given.max,
  })),
);

/** How often one address may call an endpoint that could be used for guessing, complete. */
export type RateLimitConfig = OptionsOf<typeof rateLimitConfig>;

import { createError } from "@plinth/core";

/** Too many requests of one kind came from one place. The headers of the answer say when to come back. */
export const RateLimitedError = createError<object>(
  "PLINTH_USERS_RATE_LIMITED",
  429,
  () => "Too many requests, please try again later.",
  {
    cause:
      "One address asked one endpoint, for one account, more often than the rate limit allows; or too many wrong passwords were tried for one account, from networks that it never signed in from.",
    remedy:
      "Wait until the time of the X-RateLimit-Reset header, or raise rateLimit.max in the plugin's configuration.",
  },
);

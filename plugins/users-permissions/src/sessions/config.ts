import { option, options, whole, type OptionsOf } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** How long sessions last in refresh mode; all in seconds. */
export const sessionsConfig = options({
  accessLifespan: option(whole(1), "How long an access token is valid, in seconds.", 10 * MINUTE),
  idleLifespan: option(whole(1), "A session ends when it was not refreshed for this long, in seconds.", 14 * DAY),
  maxLifespan: option(whole(1), "A session ends at the latest this long after the login, in seconds.", 30 * DAY),
  reuseWindow: option(
    whole(0),
    "How long a refresh token that was traded in still gives the same next one, in seconds, because several windows of one browser refresh at one time. After that, or with 0, it ends the session.",
    10,
  ),
  httpOnly: option(
    v.boolean(),
    "Whether refresh tokens always go into a cookie that scripts cannot read, and never into a body.",
    false,
  ),
  secureCookie: option(v.boolean(), "Whether that cookie is only sent over https; default: in production."),
});

/** How long sessions last in refresh mode. */
export type SessionsConfig = OptionsOf<typeof sessionsConfig>;

import { allowed, option, options, optionsParser, secret, text, whole, type OptionsOf } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { confirmationConfig, emailChangeConfig, passwordsConfig, registerConfig, resetConfig } from "./auth/config.js";
import { ConfigInvalidError } from "./errors.js";
import { mailConfig } from "./mail/config.js";
import { rateLimitConfig } from "./rate-limit/config.js";
import { sessionsConfig } from "./sessions/config.js";

const DAY = 24 * 60 * 60;

/** With one token, a short secret can be guessed offline. */
const MIN_SECRET_LENGTH = 16;

const secrets = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((given) => [given].flat().filter((each) => each !== "")),
  v.everyItem((each) => each.length >= MIN_SECRET_LENGTH),
  secret(),
  allowed(`a string of at least ${MIN_SECRET_LENGTH} characters, or a list of them of which the first signs`),
);

/** What `config` of the plugin may hold. */
export const usersPermissionsConfig = options({
  jwtSecret: option(
    secrets,
    "Secrets of the tokens: the first signs, all verify. Empty: generated in development, refused in production.",
    [],
  ),
  jwt: v.optional(
    options({
      expiresIn: option(whole(1), "Seconds that a token of `legacy-support` is believed.", 30 * DAY),
    }),
    {},
  ),
  defaultRole: option(text("authenticated"), "`type` of the role of users that are made without one.", "authenticated"),
  jwtManagement: option(
    v.picklist(["legacy-support", "refresh"]),
    "`refresh`: sessions with short access tokens and refresh tokens. `legacy-support`: one long token, and no sessions.",
    "legacy-support",
  ),
  sessions: v.optional(sessionsConfig, {}),
  register: v.optional(registerConfig, {}),
  resetPassword: v.optional(resetConfig, {}),
  emailConfirmation: v.optional(confirmationConfig, {}),
  emailChange: v.optional(emailChangeConfig, {}),
  passwords: v.optional(passwordsConfig, {}),
  mail: v.optional(mailConfig, {}),
  rateLimit: v.optional(rateLimitConfig, {}),
});

/** What config/plugins says to users-permissions, complete. */
export type UsersPermissionsConfig = OptionsOf<typeof usersPermissionsConfig>;

declare module "@plinth/core" {
  interface PluginConfigs {
    "users-permissions": UsersPermissionsConfig;
  }
}

/**
 * Checks the configuration and fills in what is left out.
 *
 * @param raw - such as `{ jwtSecret: env("JWT_SECRET"), defaultRole: "authenticated" }`
 * @throws PLINTH_USERS_CONFIG_INVALID (500) details `{ problems }`, without secrets
 */
export const parseConfig = optionsParser(usersPermissionsConfig, ConfigInvalidError);

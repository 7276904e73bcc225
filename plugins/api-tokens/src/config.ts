import type { App } from "@plinth/core";
import { allowed, option, options, type OptionsOf, optionsParser, secret } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { InvalidTokensConfigError } from "./errors.js";

const MIN_SECRET_LENGTH = 16;

const secretText = v.pipe(
  v.union([v.literal(""), v.pipe(v.string(), v.minLength(MIN_SECRET_LENGTH))]),
  secret(),
  allowed(`a string of at least ${MIN_SECRET_LENGTH} characters`),
);
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));

/** What `config` of the plugin may hold. */
export const tokensConfig = options({
  salt: option(
    secretText,
    "What keys are hashed with; a new one makes all tokens unknown. Empty: generated in development.",
    "",
  ),
  adminSecret: option(
    secretText,
    "What sessions of administrators are signed with. Empty: generated in development.",
    "",
  ),
  sessionLife: option(positive, "How long a login lasts, in seconds.", 1800),
  lastUseInterval: option(positive, "How often the last use of tokens is written, in seconds.", 5),
  loginLimit: option(
    positive,
    "Logins that one address (/64 of IPv6) may try in a minute. In 15 minutes an account takes four times as many wrong passwords from one wide network, and ten times as many from everywhere; then attempts take turns.",
    5,
  ),
});

/** The configuration of the plugin, complete. */
export type TokensConfig = OptionsOf<typeof tokensConfig>;

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_TOKENS_CONFIG_INVALID (500) details `{ problems }`, without secrets
 */
export const parseTokensConfig = optionsParser(tokensConfig, InvalidTokensConfigError);

/** What keys are hashed with. @throws PLINTH_SECRET_MISSING (500) in production without it */
export function saltOf(app: App, { salt }: TokensConfig): string {
  return app.secrets.obtain({ name: "api-tokens.salt", configured: salt, variable: "API_TOKEN_SALT" });
}

/** What sessions of administrators are signed with. @throws PLINTH_SECRET_MISSING (500) in production without it */
export function adminSecretOf(app: App, { adminSecret }: TokensConfig): string {
  return app.secrets.obtain({ name: "api-tokens.adminSecret", configured: adminSecret, variable: "ADMIN_JWT_SECRET" });
}

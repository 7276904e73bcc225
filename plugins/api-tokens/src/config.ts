import type { App, SecretList } from "@plinth/core";
import { option, options, type OptionsOf, optionsParser, secretList } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { InvalidTokensConfigError } from "./errors.js";

const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));

/** What `config` of the plugin may hold. */
export const tokensConfig = options({
  salt: option(
    secretList,
    "Salts that keys are hashed with: the first hashes, all are believed, and a key that is found by an older one is hashed again. Empty: generated in development, refused in production.",
    [],
  ),
  adminSecret: option(
    secretList,
    "Secrets of the sessions of administrators: the first signs, all verify. Empty: generated in development, refused in production.",
    [],
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

/** What keys are hashed with, then what they were hashed with before. @throws PLINTH_SECRET_MISSING (500) in production without it */
export function saltsOf(app: App, { salt }: TokensConfig): SecretList {
  return app.secrets.obtain({ name: "api-tokens.salt", configured: salt, variable: "API_TOKEN_SALT" });
}

/** What sessions of administrators are signed with, then what they were signed with before. @throws PLINTH_SECRET_MISSING (500) in production without it */
export function adminSecretsOf(app: App, { adminSecret }: TokensConfig): SecretList {
  return app.secrets.obtain({ name: "api-tokens.adminSecret", configured: adminSecret, variable: "ADMIN_JWT_SECRET" });
}

import { createError, describeKnown } from "@plinth/core";

/** A token that was valid once. */
export const TokenExpiredError = createError<object>("PLINTH_TOKENS_EXPIRED", 401, () => "Token expired", {
  cause: "The API token has expired.",
  remedy: "Give the token a later expiry, or create a new one.",
});

/** One problem of a token. */
export interface TokenProblem {
  /** Attribute, dotted: `permissions[0].fields`. */
  readonly path: string;
  readonly message: string;
}

/** A token cannot be created or changed as requested; every problem at once. */
export const InvalidTokenError = createError<{ errors: readonly TokenProblem[] }>(
  "PLINTH_TOKENS_INVALID",
  400,
  (d) => d.errors.map(({ path, message }) => `${path} ${message}`).join("; "),
  {
    cause: "A value for creating or changing a token is missing, unknown or invalid.",
    remedy: "Correct each attribute that the message names.",
  },
);

/** A command names a token that does not exist. */
export const TokenUnknownError = createError<{ name: string; known: readonly string[] }>(
  "PLINTH_TOKENS_UNKNOWN",
  404,
  (d) => `There is no token "${d.name}". ${describeKnown(d.name, d.known)}`,
  { cause: "A command names a token that does not exist.", remedy: "Look at `plinth token list`." },
);

/** The end of a token on the command line is invalid, or over already. */
export const InvalidLifetimeError = createError<{ text: string }>(
  "PLINTH_TOKENS_INVALID_LIFETIME",
  400,
  (d) => `--expires "${d.text}" is not a time in the future: write 12h, 30d or 8w, or a date such as 2030-01-31.`,
  {
    cause: "The value of --expires is neither a duration nor a date, or is over already.",
    remedy: "Write such as 30d.",
  },
);

/** E-mail address and password do not belong to an administrator; the answer does not say which of the two is wrong. */
export const LoginRefusedError = createError<object>(
  "PLINTH_TOKENS_LOGIN_REFUSED",
  401,
  () => "Invalid email or password",
  {
    cause: "An administrator's login names an unknown address or a wrong password.",
    remedy: "Check both; `plinth admin password <email>` sets a new password.",
  },
);

/** Too many logins from one address, or for one account. */
export const TooManyLoginsError = createError<object>(
  "PLINTH_TOKENS_TOO_MANY_LOGINS",
  429,
  () => "Too many requests, please try again later.",
  {
    cause: "The administrators' login was asked too often from one address or for one account.",
    remedy: "Wait for the time of the Retry-After header.",
  },
);

/** A command names an administrator who does not exist. */
export const AdministratorUnknownError = createError<{ email: string; known: readonly string[] }>(
  "PLINTH_TOKENS_ADMINISTRATOR_UNKNOWN",
  404,
  (d) => `There is no administrator "${d.email}". ${describeKnown(d.email, d.known)}`,
  { cause: "A command names an administrator who does not exist.", remedy: "Look at `plinth admin list`." },
);

/** The configuration of the plugin cannot be used; every problem at once. */
export const InvalidTokensConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_TOKENS_CONFIG_INVALID",
  500,
  (d) => `The configuration of api-tokens is wrong:\n${d.problems.map((problem) => `  ${problem}`).join("\n")}`,
  {
    cause: "config/plugins holds a key or value under api-tokens that the plugin does not understand.",
    remedy: "Correct each line that the message lists.",
  },
);

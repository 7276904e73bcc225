import { InvalidTokensConfigError } from "./errors.js";

/** The configuration of the plugin, complete. */
export interface TokensConfig {
  /** What keys are hashed with; a new one makes all tokens unknown. Empty: made up in development. */
  readonly salt: string;
  /** What sessions of administrators are signed with. Empty: made up in development. */
  readonly adminSecret: string;
  /** How long a login lasts, in seconds. */
  readonly sessionLife: number;
  /** How often the last use of tokens is written, in seconds. */
  readonly lastUseInterval: number;
  /** Logins that one address (/64 of IPv6) may try in a minute. In 15 minutes an account takes four times as many wrong passwords from one wide network, and ten times as many from everywhere; then attempts take turns. */
  readonly loginLimit: number;
}

const DEFAULTS: TokensConfig = { salt: "", adminSecret: "", sessionLife: 1800, lastUseInterval: 5, loginLimit: 5 };
const MIN_SECRET_LENGTH = 16;

/**
 * Checks the plugin's part of config/plugins and fills in what is left out.
 *
 * @throws PLINTH_TOKENS_CONFIG_INVALID (500) details `{ problems }`, without secrets
 */
export function parseTokensConfig(raw: unknown): TokensConfig {
  if (raw === undefined) return DEFAULTS;
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw new InvalidTokensConfigError({ problems: ["it must be an object"] });
  }
  const problems = Object.entries(raw).flatMap(([key, value]: [string, unknown]) => {
    const known = Object.hasOwn(DEFAULTS, key) ? DEFAULTS[key as keyof TokensConfig] : undefined;
    if (known === undefined) return [`${key} is not known; known are ${Object.keys(DEFAULTS).join(", ")}`];
    if (value === undefined) return [];
    return typeof known === "string" ? checkSecret(key, value) : checkNumber(key, value);
  });
  if (problems.length > 0) throw new InvalidTokensConfigError({ problems });
  const given = Object.entries(raw).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...(Object.fromEntries(given) as Partial<TokensConfig>) };
}

/** Never shows the value. */
function checkSecret(key: string, value: unknown): readonly string[] {
  if (value === "" || (typeof value === "string" && value.length >= MIN_SECRET_LENGTH)) return [];
  return [`${key} must be a string of at least ${MIN_SECRET_LENGTH} characters`];
}

function checkNumber(key: string, value: unknown): readonly string[] {
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return [];
  return [`${key} must be a number greater than 0, and is ${JSON.stringify(value)}`];
}

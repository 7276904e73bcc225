import { isRecord } from "./body/check-body.js";
import { ConfigInvalidError } from "./errors.js";

/** What config/plugins says to users-permissions, complete. */
export interface UsersPermissionsConfig {
  /** Secrets of the tokens: the first signs, all verify. Empty: made up in development, refused in production. */
  readonly jwtSecret: readonly string[];
  readonly jwt: { /** Seconds. */ readonly expiresIn: number };
  /** `type` of the role of users that are made without one. */
  readonly defaultRole: string;
}

const DAY = 24 * 60 * 60;

const DEFAULTS: UsersPermissionsConfig = {
  jwtSecret: [],
  jwt: { expiresIn: 30 * DAY },
  defaultRole: "authenticated",
};

/** What one key becomes, or what is wrong with it. */
type KeyParser = (value: unknown, fail: (reason: string) => void) => unknown;

/** One row a key of the configuration. */
const KEYS: Readonly<Record<keyof UsersPermissionsConfig, KeyParser>> = {
  jwtSecret: parseSecrets,
  jwt: (value, fail) => {
    const expiresIn = isRecord(value) ? value["expiresIn"] : undefined;
    if (typeof expiresIn !== "number" || !Number.isInteger(expiresIn) || expiresIn < 1) {
      fail("must be { expiresIn: <seconds, a whole number from 1> }");
    }
    return { expiresIn };
  },
  defaultRole: (value, fail) => {
    if (typeof value !== "string" || value === "") fail('must be the type of a role, such as "authenticated"');
    return value;
  },
};

/**
 * Checks the configuration and fills in what is left out.
 *
 * @param raw - such as `{ jwtSecret: env("JWT_SECRET"), defaultRole: "authenticated" }`
 * @throws PLINTH_USERS_CONFIG_INVALID (500) details `{ problems }`, without secrets
 */
export function parseConfig(raw: unknown): UsersPermissionsConfig {
  const given = raw === undefined ? {} : raw;
  if (!isRecord(given)) throw new ConfigInvalidError({ problems: ["it must be an object"] });
  const problems: string[] = [];
  const config: Record<string, unknown> = { ...DEFAULTS };
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(KEYS, key)) problems.push(`${key} is not known; known are ${Object.keys(KEYS).join(", ")}`);
    else if (value !== undefined) {
      config[key] = KEYS[key as keyof UsersPermissionsConfig](value, (reason) => problems.push(`${key} ${reason}`));
    }
  }
  if (problems.length > 0) throw new ConfigInvalidError({ problems });
  return Object.freeze(config) as unknown as UsersPermissionsConfig;
}

/** Short secrets can be guessed offline by anybody who has one token. */
const MIN_SECRET_LENGTH = 16;

function parseSecrets(value: unknown, fail: (reason: string) => void): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const secrets = list.filter((secret): secret is string => typeof secret === "string" && secret !== "");
  const isText = list.every((secret) => typeof secret === "string");
  if (!isText || secrets.some(({ length }) => length < MIN_SECRET_LENGTH)) {
    fail(`must be a text of at least ${MIN_SECRET_LENGTH} characters, or a list of them of which the first signs`);
  }
  return secrets;
}

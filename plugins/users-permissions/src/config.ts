import {
  type ConfirmationConfig,
  confirmationDefaults,
  type EmailChangeConfig,
  emailChangeDefaults,
  type LinkConfig,
  parseConfirmationConfig,
  type PasswordsConfig,
  parseEmailChangeConfig,
  parsePasswordsConfig,
  passwordsDefaults,
  parseRegisterConfig,
  parseResetConfig,
  type RegisterConfig,
  registerDefaults,
  resetDefaults,
} from "./auth/config.js";
import { isRecord } from "./body/check-body.js";
import type { Fail } from "./config-values.js";
import { ConfigInvalidError } from "./errors.js";
import { type MailConfig, mailDefaults, parseMailConfig } from "./mail/config.js";
import { parseRateLimitConfig, type RateLimitConfig, rateLimitDefaults } from "./rate-limit/config.js";
import { parseSessionsConfig, type SessionsConfig, sessionsDefaults } from "./sessions/config.js";

/** What config/plugins says to users-permissions, complete. */
export interface UsersPermissionsConfig {
  /** Secrets of the tokens: the first signs, all verify. Empty: made up in development, refused in production. */
  readonly jwtSecret: readonly string[];
  /** `expiresIn`: seconds that a token of `legacy-support` is believed. */
  readonly jwt: { readonly expiresIn: number };
  /** `type` of the role of users that are made without one. */
  readonly defaultRole: string;
  /** `refresh`: sessions with short access tokens and refresh tokens. `legacy-support`: one long token, and no sessions. */
  readonly jwtManagement: "legacy-support" | "refresh";
  readonly sessions: SessionsConfig;
  readonly register: RegisterConfig;
  readonly resetPassword: LinkConfig;
  readonly emailConfirmation: ConfirmationConfig;
  readonly passwords: PasswordsConfig;
  readonly emailChange: EmailChangeConfig;
  readonly mail: MailConfig;
  readonly rateLimit: RateLimitConfig;
}

declare module "@plinth/core" {
  interface PluginConfigs {
    "users-permissions": UsersPermissionsConfig;
  }
}

const DAY = 24 * 60 * 60;

const DEFAULTS: UsersPermissionsConfig = {
  jwtSecret: [],
  jwt: { expiresIn: 30 * DAY },
  defaultRole: "authenticated",
  jwtManagement: "legacy-support",
  sessions: sessionsDefaults,
  register: registerDefaults,
  resetPassword: resetDefaults,
  emailConfirmation: confirmationDefaults,
  passwords: passwordsDefaults,
  emailChange: emailChangeDefaults,
  mail: mailDefaults,
  rateLimit: rateLimitDefaults,
};

/** What one key becomes, or what is wrong with it. */
type KeyParser = (value: unknown, fail: Fail) => unknown;

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
  jwtManagement: (value, fail) => {
    if (value !== "legacy-support" && value !== "refresh") fail('must be "legacy-support" or "refresh"');
    return value;
  },
  sessions: parseSessionsConfig,
  register: parseRegisterConfig,
  resetPassword: parseResetConfig,
  emailConfirmation: parseConfirmationConfig,
  passwords: parsePasswordsConfig,
  emailChange: parseEmailChangeConfig,
  mail: parseMailConfig,
  rateLimit: parseRateLimitConfig,
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

function parseSecrets(value: unknown, fail: Fail): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const secrets = list.filter((secret): secret is string => typeof secret === "string" && secret !== "");
  const isText = list.every((secret) => typeof secret === "string");
  if (!isText || secrets.some(({ length }) => length < MIN_SECRET_LENGTH)) {
    fail(`must be a string of at least ${MIN_SECRET_LENGTH} characters, or a list of them of which the first signs`);
  }
  return secrets;
}

import { type Fail, isCount, isUrl, readKeys } from "../config-values.js";

/** Who may register, and with what. */
export interface RegisterConfig {
  /** Whether people may register. */
  readonly enabled: boolean;
  /** Attributes that an app added to users and that they set themselves when they register. */
  readonly allowedFields: readonly string[];
}

/** A link in a mail, and how long what is in it works. */
export interface LinkConfig {
  /** Where the link leads, without its query; an absolute URL. Undefined: below `server.url`. */
  readonly url: string | undefined;
  /** In seconds. */
  readonly lifespan: number;
}

/** Whether addresses have to be confirmed, and how. */
export interface ConfirmationConfig extends LinkConfig {
  /** Whether an address has to be confirmed before its owner signs in. */
  readonly enabled: boolean;
  /** Where a browser goes after a confirmation; undefined: the answer is the user. */
  readonly redirectTo: string | undefined;
}

/** What users have to prove before they give themselves another address. */
export interface EmailChangeConfig {
  /** Whether a PUT of a user's own row has to have the password as `currentPassword` when the address is another. */
  readonly requirePassword: boolean;
}

/** What passwords have to be like. */
export interface PasswordsConfig {
  /** In characters, 6 or more. */
  readonly minLength: number;
  /** Whether passwords that many people have (`qwerty123`) are allowed. */
  readonly allowCommon: boolean;
}

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** Registration is open. */
export const registerDefaults: RegisterConfig = { enabled: true, allowedFields: [] };
/** A reset code works for an hour. */
export const resetDefaults: LinkConfig = { url: undefined, lifespan: HOUR };
/** Addresses need not be confirmed. */
export const confirmationDefaults: ConfirmationConfig = {
  enabled: false,
  url: undefined,
  lifespan: 3 * DAY,
  redirectTo: undefined,
};

/** As in the reference: the grant is enough, and a password that is sent along has to be right. */
export const emailChangeDefaults: EmailChangeConfig = { requirePassword: false };

/** The reference's length. */
export const passwordsDefaults: PasswordsConfig = { minLength: 6, allowCommon: false };

/** Nobody sets these about themselves, whatever is configured. */
const NEVER_ALLOWED = new Set([
  "id",
  "documentId",
  "role",
  "provider",
  "confirmed",
  "blocked",
  "resetPasswordToken",
  "confirmationToken",
  "sessionVersion",
  "usernameKey",
  "emailKey",
  "createdAt",
  "updatedAt",
  "publishedAt",
  "locale",
]);

/** Reads `register: { enabled: true, allowedFields: ["displayName"] }`. */
export function parseRegisterConfig(value: unknown, fail: Fail): RegisterConfig {
  const config = { ...registerDefaults, ...readKeys(value, ["enabled", "allowedFields"], fail) };
  if (typeof config.enabled !== "boolean") fail("has to say true or false under enabled");
  const fields: unknown = config.allowedFields;
  if (!Array.isArray(fields) || fields.some((field) => typeof field !== "string" || NEVER_ALLOWED.has(field))) {
    fail(`has to list attributes under allowedFields, and none of ${[...NEVER_ALLOWED].join(", ")}`);
  }
  return config;
}

/** Reads `resetPassword: { url: "https://app.example.com/reset", lifespan: 3600 }`. */
export function parseResetConfig(value: unknown, fail: Fail): LinkConfig {
  const config = { ...resetDefaults, ...readKeys(value, ["url", "lifespan"], fail) };
  checkLink(config, fail);
  return config;
}

/** Reads `emailConfirmation: { enabled: true, redirectTo: "https://app.example.com/welcome" }`. */
export function parseConfirmationConfig(value: unknown, fail: Fail): ConfirmationConfig {
  const known = ["enabled", "url", "lifespan", "redirectTo"];
  const config = { ...confirmationDefaults, ...readKeys(value, known, fail) };
  if (typeof config.enabled !== "boolean") fail("has to say true or false under enabled");
  if (config.redirectTo !== undefined && !isUrl(config.redirectTo))
    fail("has to have an absolute URL under redirectTo");
  checkLink(config, fail);
  return config;
}

/** Reads `passwords: { minLength: 8 }`. */
export function parsePasswordsConfig(value: unknown, fail: Fail): PasswordsConfig {
  const config = { ...passwordsDefaults, ...readKeys(value, ["minLength", "allowCommon"], fail) };
  const { minLength } = config;
  if (!isCount(minLength) || minLength < passwordsDefaults.minLength || minLength > 72)
    fail("has to have a whole number from 6 to 72 under minLength");
  if (typeof config.allowCommon !== "boolean") fail("has to say true or false under allowCommon");
  return config;
}

/** Reads `emailChange: { requirePassword: true }`. */
export function parseEmailChangeConfig(value: unknown, fail: Fail): EmailChangeConfig {
  const config = { ...emailChangeDefaults, ...readKeys(value, ["requirePassword"], fail) };
  if (typeof config.requirePassword !== "boolean") fail("has to say true or false under requirePassword");
  return config;
}

function checkLink({ url, lifespan }: LinkConfig, fail: Fail): void {
  if (url !== undefined && !isUrl(url)) fail("has to have an absolute URL under url");
  if (!isCount(lifespan)) fail("has to have seconds under lifespan, a whole number from 1");
}

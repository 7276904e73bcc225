import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { App, SecretList } from "@plinth/core";
import { adminSecretsOf, type TokensConfig } from "@plinth/plugin-api-tokens";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** The secrets that sign what administrators have, the newest first. @throws PLINTH_SECRET_MISSING (500) in production without one */
export const secretsOf = (app: App): SecretList => adminSecretsOf(app, app.plugin("api-tokens").config as TokensConfig);

/** A key for each purpose: what was sealed for one is nothing for another. */
const keyOf = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `plinth admin ${purpose}`, KEY_BYTES));

/**
 * Encrypts a value with the newest secret.
 *
 * @param purpose - what it is for; it has to be named again to read it.
 * @returns base64url
 */
export function seal(app: App, purpose: string, value: unknown): string {
  const [secret] = secretsOf(app);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret, purpose), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
}

/** What was sealed. */
export interface Unsealed<Value> {
  readonly value: Value;
  /** Whether it was sealed with the newest secret. */
  readonly isNewest: boolean;
}

/** Reads what was sealed for a purpose; undefined for what was not, was changed, or was sealed with a secret that is gone. */
export function unseal<Value>(app: App, purpose: string, text: string): Unsealed<Value> | undefined {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
  for (const [index, secret] of secretsOf(app).entries()) {
    const opened = open(bytes, keyOf(secret, purpose));
    if (opened !== undefined) return { value: JSON.parse(opened) as Value, isNewest: index === 0 };
  }
  return undefined;
}

/** Undefined where the key is another one: that is found out by the tag at the end. */
function open(bytes: Buffer, key: Buffer): string | undefined {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAuthTag(tag);
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

import { hkdfSync } from "node:crypto";
import type { App, SecretList } from "@plinth/core";
import { sealBytes, unsealBytes } from "@plinth/core/access";
import { adminSecretsOf, type TokensConfig } from "@plinth/plugin-api-tokens";

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
  return sealBytes(Buffer.from(JSON.stringify(value)), keyOf(secret, purpose)).toString("base64url");
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
  for (const [index, secret] of secretsOf(app).entries()) {
    const plain = unsealBytes(bytes, keyOf(secret, purpose));
    if (plain) return { value: JSON.parse(plain.toString()) as Value, isNewest: index === 0 };
  }
  return undefined;
}

import { createHmac, randomBytes } from "node:crypto";

/*
 * Signatures by Standard Webhooks: a receiver in any language has a library for them.
 *
 * @source https://www.standardwebhooks.com
 */

const PREFIX = "whsec_";
const FORM = /^whsec_[A-Za-z0-9+/]+={0,2}$/;
/** Bytes of a secret. */
const NEW = 32;
const LEAST = 24;
const MOST = 64;

/** What is signed. */
export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** A secret by chance: `whsec_` and 32 bytes in base64. */
export const makeSecret = (): string => `${PREFIX}${randomBytes(NEW).toString("base64")}`;

/** Whether a text is a secret: 24 to 64 bytes in base64 behind `whsec_`. */
export function isSecret(text: string): boolean {
  const { length } = keyOf(text);
  return FORM.test(text) && length >= LEAST && length <= MOST;
}

/** The header `webhook-signature`: one signature for each secret, so that a receiver may have the new or the older one. */
export function signatureOf({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  const sign = (secret: string) =>
    createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64");
  return secrets.map((secret) => `v1,${sign(secret)}`).join(" ");
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), "base64");

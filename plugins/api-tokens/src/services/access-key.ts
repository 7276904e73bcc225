import { createHmac, randomBytes } from "node:crypto";

/** 256 bits, as hex. */
const KEY_BYTES = 32;

/** The form of a key, also of one from another server; a JWT, with its dots, does not match. */
const KEY = /^[\w-]{16,512}$/;

/** Makes the key of a new token. */
export function createAccessKey(): string {
  return randomBytes(KEY_BYTES).toString("hex");
}

/** Whether a bearer can be a key at all. */
export function isAccessKey(bearer: string): boolean {
  return KEY.test(bearer);
}

/**
 * What is kept of a key: 128 hex digits. Tokens are looked up by it, so that the time of a look-up reveals nothing of
 * how much of a guess was right.
 *
 * @source plugins/content-api/WIRE.md#credentials-and-permissions
 */
export function hashAccessKey(salt: string, key: string): string {
  return createHmac("sha512", salt).update(key).digest("hex");
}

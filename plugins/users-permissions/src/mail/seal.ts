import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { SealedMailError } from "../errors.js";

/** Something that waits: codes and addresses are in it, and of codes the database holds only hashes elsewhere. */
export interface Sealed {
  readonly sealed: string;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync("sha256", secret, "", "plinth mail", 32));

/** Makes a value unreadable without the secret. @param value - JSON */
export function seal(value: object, secret: string): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64") };
}

/**
 * What was sealed with one of the secrets.
 *
 * @throws PLINTH_MAIL_SEALED (500) where none of them fits
 */
export function unseal<Value extends object>({ sealed }: Sealed, secrets: readonly string[]): Value {
  const bytes = Buffer.from(sealed, "base64");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  for (const secret of secrets) {
    const decipher = createDecipheriv(CIPHER, keyOf(secret), nonce, { authTagLength: TAG_BYTES }).setAuthTag(tag);
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    try {
      return JSON.parse(Buffer.concat([text, decipher.final()]).toString("utf8")) as Value;
    } catch {
      // It was sealed with another one.
    }
  }
  throw new SealedMailError({});
}

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE = 12;
const TAG = 16;

/** Bytes that sealing adds: the nonce and the tag. */
export const SEAL_BYTES: number = NONCE + TAG;

/**
 * Encrypts bytes by AES-256-GCM, each time to others.
 *
 * @param key - 32 bytes, of this purpose alone.
 * @returns the nonce, the tag and what was encrypted.
 * @source https://nvlpubs.nist.gov/nistpubs/Legacy/SP/nistspecialpublication800-38d.pdf
 */
export function sealBytes(plain: Uint8Array, key: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const encrypted = [cipher.update(plain), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]);
}

/** What `sealBytes` encrypted; undefined for what it did not with this key, or what was changed since. */
export function unsealBytes(sealed: Uint8Array, key: Uint8Array): Buffer | undefined {
  if (sealed.length < SEAL_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAuthTag(sealed.subarray(NONCE, SEAL_BYTES));
  const plain = decipher.update(sealed.subarray(SEAL_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    // The tag is not that of the key and the bytes; node says so by an error without a code.
    return undefined;
  }
}

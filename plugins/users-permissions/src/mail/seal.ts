import { hkdfSync } from "node:crypto";
import { sealBytes, unsealBytes } from "@plinth/core/access";
import { SealedMailError } from "../errors.js";

/** Something that waits: codes and addresses are in it, and of codes the database holds only hashes elsewhere. */
export interface Sealed {
  readonly sealed: string;
}

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync("sha256", secret, "", "plinth mail", 32));

/** Makes a value unreadable without the secret. @param value - JSON */
export function seal(value: object, secret: string): Sealed {
  return { sealed: sealBytes(Buffer.from(JSON.stringify(value)), keyOf(secret)).toString("base64") };
}

/**
 * What was sealed with one of the secrets.
 *
 * @throws PLINTH_MAIL_SEALED (500) where none of them fits
 */
export function unseal<Value extends object>({ sealed }: Sealed, secrets: readonly string[]): Value {
  const bytes = Buffer.from(sealed, "base64");
  for (const secret of secrets) {
    const plain = unsealBytes(bytes, keyOf(secret));
    if (plain) return JSON.parse(plain.toString()) as Value;
  }
  throw new SealedMailError({});
}

import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import type { Database } from "@plinth/core";
import { STREAM } from "../tables.js";

const CIPHER = "aes-256-gcm";
const NONCE = 12;
const NUMBER = 8;
const TAG = 16;

/** Where a client is, and since when. */
export interface Place {
  /** All up to this event was looked at. */
  readonly id: number;
  /** When it was said, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * Places as clients see them. Ids count all events, so in the clear they would say how much happens that a client may not see;
 * sealed, the same place is another text each time. The key is in the database: every process opens what another one sealed.
 */
export class SealedPlaces {
  readonly #key: Buffer;

  /** @param secret - a text that cannot be guessed. */
  constructor(secret: string) {
    this.#key = hash("sha256", secret, "buffer");
  }

  /** With the secret of a database, which is made when it is first needed. */
  static async open(db: Database): Promise<SealedPlaces> {
    await db.query({ text: `insert into ${STREAM} default values on conflict do nothing`, values: [] });
    const [row] = await db.query<{ key: string }>({ text: `select key from ${STREAM}`, values: [] });
    return new SealedPlaces((row as { key: string }).key);
  }

  /** 59 characters. */
  seal({ id, at }: Place): string {
    const nonce = randomBytes(NONCE);
    const plain = Buffer.alloc(2 * NUMBER);
    plain.writeBigUInt64BE(BigInt(id));
    plain.writeBigUInt64BE(BigInt(Math.floor(at)), NUMBER);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString("base64url");
  }

  /** Undefined for what was not sealed with this key. */
  unseal(text: string): Place | undefined {
    const sealed = Buffer.from(text, "base64url");
    if (sealed.length !== NONCE + 2 * NUMBER + TAG) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#key, sealed.subarray(0, NONCE), { authTagLength: TAG });
    decipher.setAuthTag(sealed.subarray(-TAG));
    try {
      const plain = Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]);
      return { id: Number(plain.readBigUInt64BE()), at: Number(plain.readBigUInt64BE(NUMBER)) };
    } catch {
      // Its tag is wrong: this server did not make it.
      return undefined;
    }
  }
}

import { hash } from "node:crypto";
import type { Database } from "@plinth/core";
import { SEAL_BYTES, sealBytes, unsealBytes } from "@plinth/core/access";
import { STREAM } from "../tables.js";

const NUMBER = 8;

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
    const plain = Buffer.alloc(2 * NUMBER);
    plain.writeBigUInt64BE(BigInt(id));
    plain.writeBigUInt64BE(BigInt(Math.floor(at)), NUMBER);
    return sealBytes(plain, this.#key).toString("base64url");
  }

  /** Undefined for what was not sealed with this key. */
  unseal(text: string): Place | undefined {
    const sealed = Buffer.from(text, "base64url");
    const plain = sealed.length === 2 * NUMBER + SEAL_BYTES ? unsealBytes(sealed, this.#key) : undefined;
    return plain && { id: Number(plain.readBigUInt64BE()), at: Number(plain.readBigUInt64BE(NUMBER)) };
  }
}

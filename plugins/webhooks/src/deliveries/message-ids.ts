import { createCipheriv, createDecipheriv, hash } from "node:crypto";
import type { Database } from "@plinth/core";
import { KEY } from "../tables.js";

/** One block of it. */
const CIPHER = "aes-256-ecb";
const BLOCK = 16;
const PART = 8;
/** What is left of a block is zero: an id of somebody else has other bytes there. */
const REST = 10;
const ID = /^evt_([\w-]{22})$/;

/**
 * The ids of messages, as the header `webhook-id` has them. Events are numbered, all of them: in the clear an id would tell how
 * much happens that a receiver does not get. Sealed, that of an event is always the same, and says nothing. The key is in
 * the database: every process seals as another one does.
 */
export class MessageIds {
  readonly #key: Buffer;

  /** @param secret - a text that cannot be guessed. */
  constructor(secret: string) {
    this.#key = hash("sha256", secret, "buffer");
  }

  /** With the secret of a database, which is made when it is first needed. */
  static async open(db: Database): Promise<MessageIds> {
    await db.query({ text: `insert into ${KEY} default values on conflict do nothing`, values: [] });
    const [row] = await db.query<{ key: string }>({ text: `select key from ${KEY}`, values: [] });
    return new MessageIds((row as { key: string }).key);
  }

  /** 26 characters. @param part - of several messages that an event has: 1, 2 ... */
  seal(event: number, part: number): string {
    const plain = Buffer.alloc(BLOCK);
    plain.writeBigUInt64BE(BigInt(event));
    plain.writeUInt16BE(part, PART);
    return `evt_${createCipheriv(CIPHER, this.#key, null).setAutoPadding(false).update(plain).toString("base64url")}`;
  }

  /** The number of the event; undefined for what was not sealed with this key. */
  eventOf(id: string): number | undefined {
    const [, text] = ID.exec(id) ?? [];
    if (text === undefined) return undefined;
    const sealed = Buffer.from(text, "base64url");
    const plain = createDecipheriv(CIPHER, this.#key, null).setAutoPadding(false).update(sealed);
    return plain.subarray(REST).every((byte) => byte === 0) ? Number(plain.readBigUInt64BE()) : undefined;
  }
}

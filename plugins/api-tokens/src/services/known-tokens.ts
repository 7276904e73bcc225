import type { Actor, App, Document } from "@plinth/core";
import { createAbility } from "@plinth/core/access";
import { LRUCache } from "lru-cache";
import { TOKEN_TYPE } from "../content-types.js";
import type { TokenPermissions, TokenType } from "../contract.js";
import { contentGrantOf } from "./token-grant.js";

/** The data of a token that requests need. */
export interface KnownToken {
  readonly id: number;
  readonly documentId: string;
  /** Milliseconds since 1970; Infinity: never. */
  readonly expiresAt: number;
  readonly isAdmin: boolean;
  /** The caller of the content API that it identifies; undefined where it is not for the content API. */
  readonly actor: Actor | undefined;
}

/** The channel for invalidations between processes. */
export const CHANNEL = "api-tokens";

/** Tokens that are kept. */
const MOST_KEPT = 2000;

/** Bytes of all tokens that are kept, and what one takes: by itself, and for each character of the actions it is granted. */
const MOST_BYTES = 16_000_000;
const BYTES_OF_TOKEN = 500;
const BYTES_OF_CHARACTER = 4;

const bytesOf = ({ actor }: KnownToken): number =>
  BYTES_OF_TOKEN + BYTES_OF_CHARACTER * (actor?.ability.key.length ?? 0);

/**
 * Tokens by the hash of their key, read once and kept until any token changes, in any process. While messages of other
 * processes cannot be received, every look-up asks the database.
 */
export class KnownTokens {
  /** Not by `fetch` of the cache: a read that is invalidated meanwhile would be rejected where it finds no token. */
  readonly #byHash: LRUCache<string, KnownToken>;
  #generation = 0;

  /** @param maxSize - bytes of all that are kept. */
  constructor(
    private readonly app: App,
    maxSize = MOST_BYTES,
  ) {
    this.#byHash = new LRUCache({ max: MOST_KEPT, maxSize, sizeCalculation: bytesOf });
  }

  /** Starts to listen to other processes. @returns a function that stops it */
  listen(): () => void {
    const invalidate = () => this.#invalidate();
    return this.app.db.messages.subscribe(CHANNEL, { onMessage: invalidate, onLost: invalidate });
  }

  /**
   * A token by the hash of its key.
   *
   * @param olderHashes - of the same key by older salts; a token that has one of them is given `hash`.
   */
  async find(hash: string, olderHashes: () => readonly string[] = () => []): Promise<KnownToken | undefined> {
    if (!this.app.db.messages.isListening) return this.#read([hash, ...olderHashes()]);
    const known = this.#byHash.get(hash);
    if (known) return known;
    const generation = this.#generation;
    const read = await this.#read([hash, ...olderHashes()]);
    // A change during the read may be missing in its result.
    if (read && generation === this.#generation) this.#byHash.set(hash, read);
    return read;
  }

  /** The caller of a token by its document id, as it is now; undefined for one that is gone or has expired. */
  async recall(documentId: string): Promise<Actor | undefined> {
    const found = await this.app.documents(TOKEN_TYPE).findOne({ documentId });
    const token = found && this.#tokenOf(found);
    return token && token.expiresAt > this.app.clock.now() ? token.actor : undefined;
  }

  #invalidate(): void {
    this.#generation++;
    this.#byHash.clear();
  }

  async #read(hashes: readonly [string, ...string[]]): Promise<KnownToken | undefined> {
    const [hash, ...older] = hashes;
    const accessKey = older.length === 0 ? hash : { $in: hashes };
    const found = await this.app.documents(TOKEN_TYPE).findFirst({ filters: { accessKey }, withPrivate: true });
    if (!found) return undefined;
    if (found["accessKey"] !== hash) await this.#rehash(found.id, String(found["accessKey"]), hash);
    return this.#tokenOf(found);
  }

  #tokenOf({ id, documentId, expiresAt, type, permissions }: Document): KnownToken {
    return {
      ...{ id, documentId },
      expiresAt: typeof expiresAt === "string" ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY,
      isAdmin: type === "admin",
      actor: this.#actorOf(documentId, type as TokenType, (permissions ?? []) as TokenPermissions),
    };
  }

  /** Past the documents: what the token may do is the same. A failure is logged, because the next read tries again. */
  async #rehash(id: number, old: string, hash: string): Promise<void> {
    const table = this.app.model.contentTypes.get(TOKEN_TYPE)?.table;
    // A key that was replaced meanwhile stays as it is.
    const text = `update "${table}" set access_key = $3 where id = $1 and access_key = $2`;
    try {
      await this.app.db.query({ text, values: [id, old, hash] });
    } catch (error) {
      this.app.log.warn({ err: error }, "A token could not be hashed with the new salt");
    }
  }

  /** An admin token without permissions of its own is not one of the content API. */
  #actorOf(id: string, type: TokenType, permissions: TokenPermissions): Actor | undefined {
    if (type === "admin" && permissions.length === 0) return undefined;
    const ability = createAbility(contentGrantOf({ type, permissions }), { now: () => this.app.clock.now() });
    return { kind: "token", id, ability };
  }
}

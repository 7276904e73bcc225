import type { ActorUser, Ability, App } from "@plinth/core";
import { LRUCache } from "lru-cache";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { SESSION_TYPE } from "../content-types/session.js";
import { hasFactorSql } from "../second-factor/has-factor.js";
import type { Account } from "../wire/account.js";
import type { Powers } from "./roles.js";

/** A session with its administrator, as requests need it. Times are milliseconds since 1970. */
export interface KnownSession {
  readonly id: number;
  readonly documentId: string;
  /** Hash of the handle. */
  readonly handle: string;
  readonly secret: string;
  readonly lastSecret: string | null;
  readonly secretSince: number;
  /** When `secret` came for the first time; undefined: not yet. Moves on in memory as well. */
  secretUsedAt: number | undefined;
  /** Moves on in memory as well. */
  lastUsedAt: number;
  readonly endsAt: number;
  readonly stays: boolean;
  readonly account: Account;
  readonly ability: Ability;
  /** Whether the role asks for a second factor and the account has none: nothing but making one is open. */
  readonly mustSetUp: boolean;
}

/** The channel for what ends or changes sessions; its messages are a handle's hash, or EVERY. */
export const CHANNEL = "admin-sessions";

/** Forgets all sessions: roles or administrators have changed. */
export const EVERY = "*";

const MOST_KEPT = 2000;
/** Bytes of all sessions that are kept, and what one takes: by itself, and for each character of its grant. */
const MOST_BYTES = 16_000_000;
const BYTES_OF_SESSION = 1500;
const BYTES_OF_CHARACTER = 4;

const bytesOf = ({ ability }: KnownSession): number => BYTES_OF_SESSION + BYTES_OF_CHARACTER * ability.key.length;

/** What an administrator has by a role. */
export type PowersOf = (role: string, user: ActorUser) => Promise<Powers>;

/**
 * Sessions by the hash of their handle, read once and kept until they or what they rest on change, in any process. While
 * messages of other processes cannot be received, every look-up asks the database.
 */
export class KnownSessions {
  readonly #byHandle = new LRUCache<string, KnownSession>({
    max: MOST_KEPT,
    maxSize: MOST_BYTES,
    sizeCalculation: bytesOf,
  });
  #generation = 0;

  constructor(
    private readonly app: App,
    private readonly powersOf: PowersOf,
  ) {}

  /** Starts to listen to other processes. @returns a function that stops it */
  listen(): () => void {
    const onLost = () => this.#forget(EVERY);
    return this.app.db.messages.subscribe(CHANNEL, { onMessage: (handle) => this.#forget(handle), onLost });
  }

  /** From memory, else from the database. */
  async find(handle: string): Promise<KnownSession | undefined> {
    const known = this.app.db.messages.isListening ? this.#byHandle.get(handle) : undefined;
    return known ?? this.readAgain(handle);
  }

  /** From the database; undefined where its administrator may not sign in any more, or got a new password. */
  async readAgain(handle: string): Promise<KnownSession | undefined> {
    const generation = this.#generation;
    const read = await this.#read(handle);
    // A change during the read may be missing in its result.
    if (read && generation === this.#generation) this.#byHandle.set(handle, read);
    return read;
  }

  #forget(handle: string): void {
    this.#generation++;
    if (handle === EVERY) this.#byHandle.clear();
    else this.#byHandle.delete(handle);
  }

  async #read(handle: string): Promise<KnownSession | undefined> {
    const [row] = await this.app.db.query<SessionRow>({ text: this.#text, values: [handle], isPlan: true });
    if (!row) return undefined;
    const { account_id, account_document_id, email, name, role, language, has_factor, ...session } = row;
    const user = { id: Number(account_id), documentId: account_document_id };
    const { ability, needsSecondFactor } = await this.powersOf(role, user);
    return {
      id: Number(session.id),
      documentId: session.document_id,
      handle,
      secret: session.secret,
      lastSecret: session.last_secret,
      secretSince: Number(session.secret_since),
      secretUsedAt: session.secret_used_at === null ? undefined : Number(session.secret_used_at),
      lastUsedAt: Number(session.last_used_at),
      endsAt: Number(session.ends_at),
      stays: session.stays,
      account: { ...user, name: name ?? email, email, role, language },
      ability,
      mustSetUp: needsSecondFactor && !has_factor,
    };
  }

  get #text(): string {
    const { contentTypes } = this.app.model;
    const millis = (column: string) => `(extract(epoch from s.${column}) * 1000)::float8 as ${column}`;
    return `select s.id, s.document_id, s.secret, s.last_secret, s.stays,
      ${["secret_since", "secret_used_at", "last_used_at", "ends_at"].map(millis).join(", ")},
      a.id as account_id, a.document_id as account_document_id, a.email, a.name, a.role, a.language,
      ${hasFactorSql(contentTypes, "a.document_id")} as has_factor
      from "${contentTypes.get(SESSION_TYPE)?.table}" s
      join "${contentTypes.get(ADMINISTRATOR_TYPE)?.table}" a
        on a.document_id = s.account and a.session_version = s.account_version and a.is_active
      where s.handle = $1`;
  }
}

interface SessionRow {
  readonly id: string;
  readonly document_id: string;
  readonly secret: string;
  readonly last_secret: string | null;
  readonly stays: boolean;
  readonly secret_since: number;
  readonly secret_used_at: number | null;
  readonly last_used_at: number;
  readonly ends_at: number;
  readonly account_id: string;
  readonly account_document_id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: string;
  readonly language: string | null;
  readonly has_factor: boolean;
}

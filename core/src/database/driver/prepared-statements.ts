import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Client } from "pg";
import { closeStatement, connectionOf } from "./pg-internals.js";

/** How many texts are remembered as "seen once" for each name that may be given, and how many characters (of two bytes at most) of them all. */
const SEEN_PER_NAME = 5;
const SEEN_LENGTH = 4_000_000;

/** Longer texts get no name: what PostgreSQL keeps of a statement is some hundred times its text. */
const MAX_LENGTH = 32_000;

/** Characters of all texts that have a name on one connection. */
const NAMED_LENGTH = 500_000;

/** The names that texts have on a connection; its size is the characters of all texts. */
type NamedTexts = LRUCache<string, string>;

/** duplicate_prepared_statement and invalid_sql_statement_name: the name was given in another session. */
const FOREIGN_SESSION_CODES: ReadonlySet<string> = new Set(["42P05", "26000"]);
const FEATURE_NOT_SUPPORTED = "0A000";
const CHANGED_RESULT = "cached plan must not change result type";

/**
 * Gives statements a name on their second use, so that a client that sends ever new query shapes does not fill the
 * server's memory. Each connection holds at most `limit` names, and so many characters of text; the one that was not
 * used for longest goes first and is deallocated.
 */
export class PreparedStatements {
  #limit: number;
  /** Names of two processes never collide, not even in a session that a pooler gives to both. */
  readonly #prefix = `plinth_${randomBytes(6).toString("hex")}`;
  readonly #seen: LRUCache<string, true>;
  readonly #names = new WeakMap<Client, NamedTexts>();
  #lastName = 0;

  /** @param limit - names per connection; 0 turns names off, for poolers that hand statements to other sessions. */
  constructor(limit: number) {
    this.#limit = limit;
    this.#seen = new LRUCache({
      max: Math.max(1, limit * SEEN_PER_NAME),
      maxSize: SEEN_LENGTH,
      sizeCalculation: (_seen, text) => sizeOf(text),
    });
  }

  /**
   * The name to run `text` under on this connection, or undefined to run it without one.
   *
   * @param canEvict - false inside a transaction: a failed one would reject the DEALLOCATE.
   */
  nameOf(client: Client, text: string, canEvict: boolean): string | undefined | Promise<string> {
    if (this.#limit === 0 || text.length > MAX_LENGTH) return undefined;
    const named = this.#namesOn(client);
    const known = named.get(text);
    if (known !== undefined) return known;
    if (!this.#isRecurring(text)) return undefined;
    if (!this.#isFull(named, text)) return this.#add(named, text);
    return canEvict ? this.#makeRoom(client, named, text) : undefined;
  }

  /**
   * Forgets the names of a connection after an error that one of them caused. Where the session is another one than
   * before, as behind a pooler that hands out sessions by transaction, nothing gets a name any more.
   *
   * @returns whether names are turned off by it.
   */
  forget(client: Client, error: unknown): boolean {
    const named = this.#names.get(client);
    const { parsedStatements } = connectionOf(client);
    for (const name of named?.values() ?? []) delete parsedStatements[name];
    this.#names.delete(client);
    if (!isOfForeignSession(error) || this.#limit === 0) return false;
    this.#limit = 0;
    return true;
  }

  /** Asked before a name is added: the cache cannot drop one by itself, because the server has to drop it too. */
  #isFull({ size, calculatedSize }: NamedTexts, text: string): boolean {
    return size >= this.#limit || calculatedSize + sizeOf(text) > NAMED_LENGTH;
  }

  async #makeRoom(client: Client, named: NamedTexts, text: string): Promise<string> {
    while (this.#isFull(named, text)) await evictUnused(client, named);
    return this.#add(named, text);
  }

  #add(named: NamedTexts, text: string): string {
    const name = `${this.#prefix}_${++this.#lastName}`;
    named.set(text, name);
    return name;
  }

  #namesOn(client: Client): NamedTexts {
    const known = this.#names.get(client);
    if (known) return known;
    const named: NamedTexts = new LRUCache({
      max: this.#limit,
      maxSize: NAMED_LENGTH,
      sizeCalculation: (_name, text) => sizeOf(text),
    });
    this.#names.set(client, named);
    return named;
  }

  #isRecurring(text: string): boolean {
    if (this.#seen.get(text)) return true;
    this.#seen.set(text, true);
    return false;
  }
}

/** By a message of the protocol: a pooler that passes names on has others for them, and does not look into statements. */
async function evictUnused(client: Client, named: NamedTexts): Promise<void> {
  const name = named.pop();
  const parsed = connectionOf(client).parsedStatements;
  // A statement that failed to parse got its name here, but the server does not have it.
  if (name === undefined || !(name in parsed)) return;
  delete parsed[name];
  await closeStatement(client, name);
}

/** Characters; the cache takes no size of 0. */
const sizeOf = (text: string): number => text.length + 1;

/** Whether a statement failed because of its name alone, and would not have without one. */
export function isStaleName(error: unknown): boolean {
  return (
    isOfForeignSession(error) ||
    (hasCode(error) && error.code === FEATURE_NOT_SUPPORTED && error.message === CHANGED_RESULT)
  );
}

/** A pooler that passes names on, and has lost one, ends the connection with protocol_violation. */
const PROTOCOL_VIOLATION = "08P01";

function isOfForeignSession(error: unknown): boolean {
  if (!hasCode(error)) return false;
  if (error.code === PROTOCOL_VIOLATION) return error.message.includes("prepared statement");
  return FOREIGN_SESSION_CODES.has(String(error.code));
}

const hasCode = (error: unknown): error is Error & { readonly code: unknown } =>
  error instanceof Error && "code" in error;

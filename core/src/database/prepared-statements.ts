import { randomBytes } from "node:crypto";
import type { Client } from "pg";

/** How many texts are remembered as "seen once" for each name that may be given. */
const SEEN_PER_NAME = 5;

/** duplicate_prepared_statement and invalid_sql_statement_name: the session is not the one that the name was given in. */
const FOREIGN_SESSION_CODES: ReadonlySet<string> = new Set(["42P05", "26000"]);
const FEATURE_NOT_SUPPORTED = "0A000";
const CHANGED_RESULT = "cached plan must not change result type";

/** A text that has a name on a connection. */
interface Named {
  readonly name: string;
  /** Since the last time that a name was looked for which could go. */
  wasUsed: boolean;
}

/**
 * Gives statements a name on their second use, so that a client who mints query shapes fills no server memory.
 * Each connection holds at most `limit` names; one that was not used lately goes first and is deallocated. Using a name
 * moves nothing: a Map that is deleted from at every request leaves a trail of its former tables.
 *
 * @source F. J. Corbató, A Paging Experiment with the Multics System, 1968: second chance
 */
export class PreparedStatements {
  #limit: number;
  /** Names of two processes never meet, not even in a session that a pooler gives to both. */
  readonly #prefix = `plinth_${randomBytes(6).toString("hex")}`;
  readonly #seen = new Set<string>();
  readonly #names = new WeakMap<Client, Map<string, Named>>();
  #lastName = 0;

  /** @param limit - names per connection; 0 turns names off, for poolers that hand statements to other sessions. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * The name to run `text` under on this connection, or undefined to run it without one.
   *
   * @param canEvict - false inside a transaction: a failed one would refuse the DEALLOCATE.
   */
  nameOf(client: Client, text: string, canEvict: boolean): string | undefined | Promise<string> {
    if (this.#limit === 0) return undefined;
    const names = this.#namesOn(client);
    const known = names.get(text);
    if (known !== undefined) {
      known.wasUsed = true;
      return known.name;
    }
    if (!this.#isRecurring(text)) return undefined;
    if (names.size >= this.#limit && !canEvict) return undefined;
    if (names.size >= this.#limit) return evictUnused(client, names).then(() => this.#add(names, text));
    return this.#add(names, text);
  }

  /**
   * Lets a connection forget its names after an error that one of them led to. Where the session is another one than
   * before, as behind a pooler that hands out sessions by transaction, nothing gets a name any more.
   *
   * @returns whether names are turned off by it.
   */
  forget(client: Client, error: unknown): boolean {
    const names = this.#names.get(client);
    const { parsedStatements } = connectionOf(client);
    for (const { name } of names?.values() ?? []) delete parsedStatements[name];
    this.#names.delete(client);
    if (!isOfForeignSession(error) || this.#limit === 0) return false;
    this.#limit = 0;
    return true;
  }

  #add(names: Map<string, Named>, text: string): string {
    const name = `${this.#prefix}_${++this.#lastName}`;
    names.set(text, { name, wasUsed: false });
    return name;
  }

  #namesOn(client: Client): Map<string, Named> {
    const known = this.#names.get(client);
    if (known) return known;
    const names = new Map<string, Named>();
    this.#names.set(client, names);
    return names;
  }

  #isRecurring(text: string): boolean {
    if (this.#seen.has(text)) return true;
    const [oldest] = this.#seen;
    if (this.#seen.size >= this.#limit * SEEN_PER_NAME && oldest !== undefined) this.#seen.delete(oldest);
    this.#seen.add(text);
    return false;
  }
}

async function evictUnused(client: Client, names: Map<string, Named>): Promise<void> {
  const name = takeUnused(names);
  const parsed = connectionOf(client).parsedStatements;
  // A statement that failed to parse got its name here, but the server never heard of it.
  if (name === undefined || !(name in parsed)) return;
  delete parsed[name];
  await client.query(`deallocate ${name}`);
}

/** Takes away the first name that was not used since the last time; those passed over go behind the others. */
function takeUnused(names: Map<string, Named>): string | undefined {
  for (const [text, { name, wasUsed }] of names) {
    names.delete(text);
    if (!wasUsed) return name;
    names.set(text, { name, wasUsed: false });
  }
  return undefined;
}

/** Whether a statement failed because of its name alone, and would not have without one. */
export function isStaleName(error: unknown): boolean {
  return (
    isOfForeignSession(error) ||
    (hasCode(error) && error.code === FEATURE_NOT_SUPPORTED && error.message === CHANGED_RESULT)
  );
}

const isOfForeignSession = (error: unknown): boolean => hasCode(error) && FOREIGN_SESSION_CODES.has(String(error.code));

const hasCode = (error: unknown): error is Error & { readonly code: unknown } =>
  error instanceof Error && "code" in error;

/** What the pg client knows as prepared, by name; it never forgets by itself. */
function connectionOf(client: Client): { readonly parsedStatements: Record<string, string> } {
  return (client as unknown as { connection: { parsedStatements: Record<string, string> } }).connection;
}

import type { Client } from "pg";

/** How many texts are remembered as "seen once" for each name that may be given. */
const SEEN_PER_NAME = 5;

/**
 * Gives statements a name on their second use, so that a client who mints query shapes fills no server memory.
 * Each connection holds at most `limit` names; the least recently used goes first and is deallocated.
 */
export class PreparedStatements {
  readonly #limit: number;
  readonly #seen = new Set<string>();
  readonly #names = new WeakMap<Client, Map<string, string>>();
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
      names.delete(text);
      names.set(text, known);
      return known;
    }
    if (!this.#isRecurring(text)) return undefined;
    if (names.size >= this.#limit && !canEvict) return undefined;
    if (names.size >= this.#limit) return evictOldest(client, names).then(() => this.#add(names, text));
    return this.#add(names, text);
  }

  #add(names: Map<string, string>, text: string): string {
    const name = `plinth_${++this.#lastName}`;
    names.set(text, name);
    return name;
  }

  #namesOn(client: Client): Map<string, string> {
    const names = this.#names.get(client) ?? new Map<string, string>();
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

async function evictOldest(client: Client, names: Map<string, string>): Promise<void> {
  const [oldest] = names;
  if (!oldest) return;
  const [text, name] = oldest;
  names.delete(text);
  const parsed = parsedBy(client);
  // A statement that failed to parse got its name here, but the server never heard of it.
  if (!(name in parsed)) return;
  delete parsed[name];
  await client.query(`deallocate ${name}`);
}

/** What the pg client knows as prepared, by name; it never forgets by itself. */
function parsedBy(client: Client): Record<string, string> {
  return (client as unknown as { connection: { parsedStatements: Record<string, string> } }).connection
    .parsedStatements;
}

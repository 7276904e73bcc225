import type { Client } from "pg";
import type { GuardedClient } from "./guarded-client.js";

/** A lock that this process has. */
export interface HeldLock {
  /** Aborted when the lock is lost, with the session that had it: another process may have it from then on. */
  readonly signal: AbortSignal;
  /** Lets others have it. */
  release(): Promise<void>;
}

/** What locks of sessions need of a database. */
interface Sessions {
  connectDirect(): GuardedClient | undefined;
  query<Row extends object>(statement: { readonly text: string; readonly values: readonly unknown[] }): Promise<Row[]>;
}

/** Apart from the locks of transactions that have the same name. */
const KEY = "hashtextextended('held ' || $1 || ' ' || $2, 0)";

/**
 * Locks that a process has until it lets go or is gone: the server frees them with the session, in every way that it can end. All are
 * of one session, past any pooler, which begins with the first lock. The embedded database is of one process, which only
 * has to know what it holds itself.
 */
export class SessionLocks {
  readonly #held = new Map<string, AbortController>();
  #session: Promise<Client | undefined> | undefined;
  /** What the session was asked last; a client of pg is asked one thing at a time. */
  #asked: Promise<unknown> = Promise.resolve();
  #schema = "";

  constructor(private readonly db: Sessions) {}

  /** @see Database.hold */
  async hold(name: string): Promise<HeldLock | undefined> {
    if (this.#held.has(name)) return undefined;
    const lost = new AbortController();
    // Two who ask at once must not both get the lock of the one session.
    this.#held.set(name, lost);
    try {
      const client = await this.#connected();
      if (client && !(await this.#ask(client, "pg_try_advisory_lock", name))) {
        this.#forget(name, lost);
        return undefined;
      }
      return { signal: lost.signal, release: () => this.#release(name, lost) };
    } catch (error) {
      this.#forget(name, lost);
      throw error;
    }
  }

  async close(): Promise<void> {
    const client = await this.#session?.catch(() => undefined);
    this.#lose(this.#session);
    await client?.end();
  }

  async #connected(): Promise<Client | undefined> {
    const session = this.#session ?? this.#begin();
    try {
      return await session;
    } catch (error) {
      this.#lose(session);
      throw error;
    }
  }

  #begin(): Promise<Client | undefined> {
    const session: Promise<Client | undefined> = this.#open(() => this.#lose(session));
    this.#session = session;
    this.#asked = Promise.resolve();
    return session;
  }

  async #open(lose: () => void): Promise<Client | undefined> {
    const client = this.db.connectDirect();
    if (!client) return undefined;
    for (const event of ["error", "end"] as const) client.on(event, lose);
    const schemas = await this.db.query<{ schema: string }>({ text: "select current_schema() as schema", values: [] });
    this.#schema = schemas[0]?.schema ?? "";
    await client.connect();
    return client;
  }

  async #ask(client: Client, verb: "pg_try_advisory_lock" | "pg_advisory_unlock", name: string): Promise<boolean> {
    const text = `select ${verb}(${KEY}) as is_done`;
    const answer = this.#asked.then(() => client.query<{ is_done: boolean }>(text, [name, this.#schema]));
    // Who is next only waits for it; whether it failed is for who asked.
    this.#asked = answer.catch(() => undefined);
    const { rows } = await answer;
    return rows[0]?.is_done ?? false;
  }

  async #release(name: string, lost: AbortController): Promise<void> {
    if (this.#held.get(name) !== lost) return;
    const client = await this.#session;
    if (client) await this.#ask(client, "pg_advisory_unlock", name).catch(() => client.end());
    this.#forget(name, lost);
  }

  #forget(name: string, lost: AbortController): void {
    if (this.#held.get(name) === lost) this.#held.delete(name);
  }

  /** A connection ends after it has failed: by then there may be another session, which goes on. */
  #lose(session: Promise<Client | undefined> | undefined): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    const all = [...this.#held.values()];
    this.#held.clear();
    for (const lost of all) lost.abort();
  }
}

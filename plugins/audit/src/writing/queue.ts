import type { App } from "@plinth/core";
import { Bursts } from "./bursts.js";
import type { EntryStatements, NewEntry } from "./new-entry.js";

/** Milliseconds between two looks for what is to be written. */
const PAUSE = 200;
/** Entries of one statement. */
const BATCH = 500;
/** Entries that wait at most while the database takes none; of what comes then the number is kept. */
const MOST_WAITING = 10_000;

interface Waiting {
  readonly entry: NewEntry;
  /** In milliseconds since 1970, by the clock of the database: the statement may wait for a connection. */
  readonly at: number;
}

/**
 * Writes entries of what is no write of a document. Refusals are written outside of requests, so that no caller waits for it: what
 * waits is written before the process stops; of one that is killed, that of the last moment is lost.
 */
export class Queue {
  readonly #bursts = new Bursts();
  #waiting: Waiting[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(
    private readonly app: App,
    private readonly statements: EntryStatements,
  ) {}

  /** Begins to write. Its timer is of no request, and so in no transaction. */
  open(): void {
    this.#timer ??= setInterval(() => void this.flush(), PAUSE).unref();
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#take(this.#bursts.end(performance.now(), true));
    await this.flush();
    const lost = this.#waiting.length + this.#lost;
    if (lost > 0) this.app.log.error({ lost }, `${lost} entries of the audit log could not be written`);
  }

  add(entry: NewEntry): void {
    if (entry.result === "accepted" || this.#bursts.admit(entry, performance.now())) this.#take([entry]);
  }

  /** Writes one before who did it gets an answer. Where the database takes none, it waits with the others. */
  async write(entry: NewEntry): Promise<void> {
    try {
      await this.app.db.query(this.statements.one(entry));
    } catch (err) {
      this.#report(err);
      this.#take([entry]);
    }
  }

  /** Adds what many do in a row, such as a reader of pages, once in a while. */
  addOnce(entry: NewEntry): void {
    if (this.#bursts.admit(entry, performance.now())) this.#take([entry]);
  }

  /** Resolves when what waits now is written, or could not be. */
  flush(): Promise<void> {
    this.#take(this.#bursts.end(performance.now()));
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  #take(entries: readonly NewEntry[]): void {
    const room = Math.max(0, MOST_WAITING - this.#waiting.length);
    const at = this.app.clock.now();
    this.#waiting.push(...entries.slice(0, room).map((entry) => ({ entry, at })));
    this.#lost += Math.max(0, entries.length - room);
  }

  async #write(): Promise<void> {
    for (let most = BATCH; this.#waiting.length > 0; ) {
      const batch = this.#waiting.slice(0, most);
      try {
        await this.#insert(batch);
      } catch (err) {
        const isOne = batch.length === 1;
        if (!isOfData(err) || (isOne && batch[0]?.entry.action === LOST)) return this.#report(err);
        if (isOne) this.#replaceFirst(err);
        most = Math.ceil(batch.length / 2);
        continue;
      }
      most = BATCH;
      this.#hasFailed = false;
      this.#waiting = this.#waiting.slice(batch.length);
      this.#noteLost();
    }
  }

  async #insert(batch: readonly Waiting[]): Promise<void> {
    const dated = batch.map(({ entry, at }) => ({ ...entry, at }));
    await this.app.db.query(this.statements.many(dated));
  }

  /** An entry that the database will never take keeps no other from it: one that says so stands in its place. */
  #replaceFirst(err: unknown): void {
    const [bad, ...rest] = this.#waiting;
    if (!bad) return;
    const { action } = bad.entry;
    this.app.log.error({ err, action }, "The database does not take an entry of the audit log");
    this.#waiting = [{ ...bad, entry: lostEntry({ count: 1, action }) }, ...rest];
  }

  /** Once, until entries can be written again. */
  #report(err: unknown): void {
    if (!this.#hasFailed) this.app.log.warn({ err }, "Entries of the audit log cannot be written; they wait");
    this.#hasFailed = true;
  }

  #noteLost(): void {
    if (this.#lost === 0) return;
    const count = this.#lost;
    this.#lost = 0;
    this.#take([lostEntry({ count })]);
  }
}

const LOST = "audit.lost";

const lostEntry = (details: NewEntry["details"]): NewEntry => ({
  ...{ action: LOST, result: "failed", transport: "code", actor_kind: null, actor_id: null, uid: null },
  ...{ document_id: null, locales: null, attributes: null, request_id: null, address: null, agent: null },
  details,
});

/**
 * Whether it is said of the values of a statement, and not of the database.
 *
 * @source https://www.postgresql.org/docs/current/errcodes-appendix.html classes 22 and 23
 */
function isOfData(err: unknown): boolean {
  const { code } = err as { readonly code?: unknown };
  return typeof code === "string" && /^2[23][0-9A-Z]{3}$/.test(code);
}

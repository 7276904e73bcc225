import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Path } from "./paths.js";

/** Which form a journal is of. */
export interface JournalKey {
  /** documentId of the one who types. */
  readonly account: string;
  readonly uid: string;
  /** documentId; of a new one `new-` and what its address has. */
  readonly documentId: string;
  readonly locale: string;
}

/** A value that was typed, and what was there before. */
export interface KeptChange {
  readonly mine: unknown;
  readonly base: unknown;
}

/** What was typed and not saved. */
export interface JournalEntry {
  /** Version of the document that the changes are for; null: it is new. */
  readonly base: string | null;
  readonly changes: Readonly<Record<Path, KeptChange>>;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  /** Names the form that wrote it: a document may be open in two tabs. */
  readonly writer: string;
}

interface Schema extends DBSchema {
  journals: { key: string; value: JournalEntry };
}

type Database = IDBPDatabase<Schema>;

const DATABASE = "plinth-admin";
const STORE = "journals";

let opened: Promise<Database> | undefined;
let isRefused = false;
const listeners = new Set<() => void>();

/** Calls a listener once the browser keeps nothing, in a private window or on a full disk. @returns what stops it */
export function onJournalRefused(listener: () => void): () => void {
  if (isRefused) listener();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const keyOf = ({ account, uid, documentId, locale }: JournalKey): string =>
  [account, uid, documentId, locale].join(" ");

function keyIn(name: string): JournalKey {
  const [account = "", uid = "", ...rest] = name.split(" ");
  // The name of a new document is what its address has: it may have spaces.
  const locale = rest.pop() ?? "";
  return { account, uid, documentId: rest.join(" "), locale };
}

/**
 * A browser that refuses costs no text: the server keeps it as well. It is said once. A browser may close a database that
 * is open, so what fails is tried again on a new connection.
 */
async function use<Result>(work: (database: Database) => Promise<Result>): Promise<Result | undefined> {
  try {
    return await attempt(work).catch(() => attempt(work));
  } catch {
    if (!isRefused) for (const listener of listeners) listener();
    isRefused = true;
    return undefined;
  }
}

async function attempt<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  try {
    opened ??= openDB<Schema>(DATABASE, 1, { upgrade: (db) => void db.createObjectStore(STORE) });
    return await work(await opened);
  } catch (error) {
    opened = undefined;
    throw error;
  }
}

/** What this browser kept of a form. */
export function readJournal(key: JournalKey): Promise<JournalEntry | undefined> {
  return use((database) => database.get(STORE, keyOf(key)));
}

/**
 * Keeps what was typed; it outlives the tab, the session and the browser. On a full disk rather nothing is kept than what
 * was typed before that: the server has it.
 */
export async function writeJournal(key: JournalKey, entry: JournalEntry): Promise<void> {
  await use(async (database) => {
    const transaction = database.transaction(STORE, "readwrite");
    const put = transaction.store.put(entry, keyOf(key));
    // Not when the page finds the time: a tab that is closed before that would lose it.
    transaction.commit();
    await Promise.all([put, transaction.done]).catch(async (error: unknown) => {
      if (error instanceof DOMException && error.name === "QuotaExceededError")
        await database.delete(STORE, keyOf(key));
      throw error;
    });
  });
}

/** Forgets what was typed, because it was saved or given up; not what another tab wrote meanwhile. */
export async function deleteJournal(key: JournalKey, writers: ReadonlySet<string>): Promise<void> {
  await use(async (database) => {
    const { store, done } = database.transaction(STORE, "readwrite");
    const found = await store.get(keyOf(key));
    if (found && writers.has(found.writer)) await store.delete(keyOf(key));
    await done;
  });
}

/** All that this browser keeps of an account. */
export async function listJournals(
  account: string,
): Promise<readonly { readonly key: JournalKey; readonly entry: JournalEntry }[]> {
  const found = await use(async (database) => {
    const { store } = database.transaction(STORE);
    const [names, entries] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return names.flatMap((name, index) => {
      const entry = entries[index];
      return entry ? [{ key: keyIn(name), entry }] : [];
    });
  });
  return (found ?? []).filter(({ key }) => key.account === account);
}

/** Forgets journals, those of other tabs included. */
export async function dropJournals(keys: readonly JournalKey[]): Promise<void> {
  await use(async (database) => {
    await Promise.all(keys.map((key) => database.delete(STORE, keyOf(key))));
  });
}

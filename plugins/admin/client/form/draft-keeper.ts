import { isAlike } from "./equal.js";
import { deleteJournal, type JournalKey, type KeptChange, readJournal, writeJournal } from "./journal.js";
import type { Path } from "./paths.js";
import { randomText } from "./random-text.js";
import { attributeAt, storedPath, storedValue } from "./shape.js";
import type { FormStore } from "./store.js";
import { deleteWorkingCopy, deviceName, putWorkingCopy, readWorkingCopy } from "./working-copies.js";

/** Milliseconds from a key to this browser's journal, and from the last key to the server. */
const TO_JOURNAL = 250;
const TO_SERVER = 3_000;
const TO_SERVER_SOON = 700;

/** What was typed earlier and not saved. */
export interface KeptChanges {
  /** Version of the document that the changes are for; null: it is new. */
  readonly base: string | null;
  readonly changes: Readonly<Record<Path, KeptChange>>;
  readonly savedAt: Date;
  /** Whether another browser wrote it. */
  readonly isElsewhere: boolean;
}

const NAME_LENGTH = 20;

const running = new Set<DraftKeeper>();

/** What a form that was closed writes last; one that opens waits for it. */
let closing: Promise<unknown> = Promise.resolve();

/** Writes what waits in every open form. @returns whether the server has all of it */
export async function flushKeepers(): Promise<boolean> {
  const [, ...results] = await Promise.all([closing, ...[...running].map((keeper) => keeper.flush())]);
  return results.every(Boolean);
}

/** Work that is done one after the other. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}

/**
 * Keeps what is typed into one form until it is saved: at once in this browser, and after a rest on the server, where it
 * outlives this browser too. Writes to each follow each other, so that what is forgotten is not written again by a late
 * one; the browser's never wait for the server's.
 */
export class DraftKeeper {
  #key: JournalKey;
  #journalTimer: ReturnType<typeof setTimeout> | undefined;
  #serverTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #here = createQueue();
  readonly #there = createQueue();
  readonly #name = randomText(NAME_LENGTH);
  /** Forms whose journal this one goes on with: its own, and the one that it found. */
  readonly #writers = new Set([this.#name]);
  readonly #listeners = new Set<() => void>();
  /** Whether the server may have something to delete. */
  #isKept = false;
  /** How many changes there were, and how many of them the server has: a write that failed leaves the two apart. */
  #typed = 0;
  #sent = 0;
  #rest = TO_SERVER;

  constructor(
    private readonly store: FormStore,
    key: JournalKey,
    /** The version that the form shows now. */
    private readonly base: () => string | null,
  ) {
    this.#key = key;
  }

  /**
   * Calls a listener when the server has another working copy, which it gets sooner from now on: what is typed is looked at
   * elsewhere. @returns what stops it
   */
  onKept(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#rest = TO_SERVER_SOON;
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#rest = TO_SERVER;
    };
  }

  /** Begins to keep. @returns what stops it; what was typed last is kept before */
  start(): () => void {
    const stop = this.store.watch(() => this.#changed());
    const hide = () => {
      if (document.visibilityState === "hidden") void this.flush(true);
    };
    document.addEventListener("visibilitychange", hide);
    running.add(this);
    return () => {
      stop();
      running.delete(this);
      document.removeEventListener("visibilitychange", hide);
      void this.flush(true);
      closing = this.#here(() => Promise.resolve());
    };
  }

  /** What was kept, that of another browser first: both, where both have something else. */
  async find(): Promise<readonly KeptChanges[]> {
    await closing;
    const [mine, theirs] = await Promise.all([readJournal(this.#key), readWorkingCopy(this.#key)]);
    this.#isKept = theirs !== null;
    if (mine) this.#writers.add(mine.writer);
    const isElsewhere = theirs?.device !== deviceName();
    const there = theirs && {
      ...{ base: theirs.base, changes: theirs.changes as KeptChanges["changes"], isElsewhere },
      savedAt: new Date(theirs.savedAt),
    };
    const here = mine && { ...mine, savedAt: new Date(mine.savedAt), isElsewhere: false };
    // What this browser sent to the server is part of what it has.
    const isBoth = here && there && isElsewhere && !isAlike(here.changes, there.changes);
    const found = isBoth ? [there, here] : [here ?? there];
    return found.flatMap((kept) => (kept && Object.keys(kept.changes).length > 0 ? [kept] : []));
  }

  /** Nothing is left to keep: it was saved, or given up. What cannot be deleted now is deleted by the next save. */
  async forget(): Promise<void> {
    this.#stopTimers();
    this.#sent = this.#typed;
    const key = this.#key;
    await Promise.all([this.#here(() => deleteJournal(key, this.#writers)), this.#there(() => this.#deleteCopy(key))]);
  }

  /** The document is there now: what is kept from here on is kept under its id. */
  async rename(documentId: string): Promise<void> {
    const old = this.#key;
    this.#stopTimers();
    this.#sent = this.#typed;
    this.#key = { ...old, documentId };
    const isChanged = this.store.changedPaths.size > 0;
    // First the new one: the tab may be closed between the two.
    if (isChanged) await this.#here(() => this.#toJournal());
    await Promise.all([this.#here(() => deleteJournal(old, this.#writers)), this.#there(() => this.#deleteCopy(old))]);
    if (isChanged) this.#changed();
  }

  /**
   * Writes what waits, and what the server did not get before.
   *
   * @param isLeaving - whether the tab may be gone before the server answers
   * @returns whether the server has it
   */
  async flush(isLeaving = false): Promise<boolean> {
    if (!this.#journalTimer && !this.#isUnsent) return true;
    // What the journal has is not written again: a page that is being left may break a write off.
    const isBehind = this.#journalTimer !== undefined;
    this.#stopTimers();
    const [, isSent] = await Promise.all([
      this.#here(() => (isBehind ? this.#toJournal() : Promise.resolve())),
      // A write that was under way may have brought it there.
      this.#there(() => (this.#isUnsent ? this.#toServer(isLeaving) : Promise.resolve(true))),
    ]);
    return isSent;
  }

  get #isUnsent(): boolean {
    return this.#typed !== this.#sent;
  }

  #changed(): void {
    this.#typed += 1;
    this.#journalTimer ??= setTimeout(() => {
      this.#journalTimer = undefined;
      void this.#here(() => this.#toJournal());
    }, TO_JOURNAL);
    clearTimeout(this.#serverTimer);
    this.#serverTimer = setTimeout(() => {
      this.#serverTimer = undefined;
      void this.#there(() => this.#toServer(false));
    }, this.#rest);
  }

  #stopTimers(): void {
    clearTimeout(this.#journalTimer);
    clearTimeout(this.#serverTimer);
    this.#journalTimer = undefined;
    this.#serverTimer = undefined;
  }

  /** By the paths that a later reading has. A password is kept nowhere but where it belongs. */
  #changes(): KeptChanges["changes"] {
    const { store } = this;
    return Object.fromEntries(
      [...store.changedPaths].flatMap((path) => {
        const attribute = attributeAt(store.shapes, store.attributes, store.leaves, path);
        if (attribute?.kind === "password") return [];
        const stored = (value: unknown) => storedValue(attribute, value ?? null);
        const change = { mine: stored(store.get(path)), base: stored(store.baseOf(path)) };
        return [[storedPath(store.leaves, path), change]];
      }),
    );
  }

  async #toJournal(): Promise<void> {
    const changes = this.#changes();
    if (Object.keys(changes).length === 0) return await deleteJournal(this.#key, this.#writers);
    await writeJournal(this.#key, { base: this.base(), changes, savedAt: Date.now(), writer: this.#name });
  }

  /** What it does not get now it gets with the next change, or when it is flushed; the journal has it. */
  async #toServer(isLeaving: boolean): Promise<boolean> {
    const typed = this.#typed;
    const changes = this.#changes();
    const isEmpty = Object.keys(changes).length === 0;
    const isSent = isEmpty ? await this.#deleteCopy(this.#key) : await this.#putCopy(changes, isLeaving);
    if (isSent) this.#sent = Math.max(this.#sent, typed);
    return isSent;
  }

  async #putCopy(changes: KeptChanges["changes"], isLeaving: boolean): Promise<boolean> {
    this.#isKept = true;
    const isSent = await putWorkingCopy(this.#key, { base: this.base(), changes }, isLeaving);
    return isSent && this.#tell();
  }

  async #deleteCopy(key: JournalKey): Promise<boolean> {
    if (!this.#isKept) return true;
    if (!(await deleteWorkingCopy(key))) return false;
    this.#isKept = false;
    return this.#tell();
  }

  #tell(): true {
    for (const listener of this.#listeners) listener();
    return true;
  }
}

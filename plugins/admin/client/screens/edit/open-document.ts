import type { Entry, EntryAction, Problem } from "../../../src/wire/content.js";
import { ApiError } from "../../app/api.js";
import type { Session } from "../../app/session.js";
import { changesOf, wholeOf } from "../../form/changes.js";
import { DraftKeeper } from "../../form/draft-keeper.js";
import { merge } from "../../form/merge.js";
import type { Path } from "../../form/paths.js";
import { problemsOf } from "../../app/problems.js";
import { isDocumentId, newDocumentId } from "../../form/random-text.js";
import { flatten, initialLeaves, keepLinks, keysByPlace, type Leaves } from "../../form/shape.js";
import { FormStore } from "../../form/store.js";
import {
  AT_REST,
  conflictIn,
  type DocumentState,
  isAskedAbove,
  isUnanswered,
  type Outcome,
  type SaveResult,
  SETTLED,
} from "./document-state.js";
import {
  actOnEntry,
  checkEntry,
  createEntry,
  deleteEntry,
  type DocumentPlace,
  isMissing,
  type Read,
  readEntry,
  readIfMade,
  readIfThere,
  updateEntry,
} from "./entry-requests.js";
import { conflictOf, knownVersion, meet, type Met } from "./others.js";
import { recreateEntry } from "./recreate.js";
import { restore } from "./restore.js";
import { tryLater } from "./try-later.js";

/** How often a save is joined with what others saved meanwhile, before it is given up. */
const MAX_TRIES = 3;
const NOTHING: Leaves = new Map();
type Status = "draft" | "published";

/** How a save is made. */
interface Saving {
  readonly status: Status;
  /** It was started by a timer: what goes wrong is shown at the fields only. */
  readonly isQuiet?: boolean;
  /** How often it may still be joined with what others save. */
  readonly tries?: number;
}

/** A document that is being edited: its values, its version, and what became of saving it. */
export class OpenDocument {
  readonly store: FormStore;
  readonly keeper: DraftKeeper;
  #place: DocumentPlace;
  #waiting: AbortController | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #state: DocumentState = AT_REST;
  #version: string | null;
  /** What was sent by a save without an answer: it may be stored. */
  #unanswered: Leaves | undefined;
  /** The id of what is made: of a new document, or of one that is made again. */
  readonly #newId: string;
  readonly #listeners = new Set<() => void>();

  private constructor(session: Session, place: DocumentPlace, read: Read | undefined) {
    this.#place = place;
    this.#newId = place.id === "new" && isDocumentId(place.draft) ? place.draft : newDocumentId();
    const { attributes } = place.type;
    const base = read
      ? flatten(session, attributes, read.entry)
      : { leaves: initialLeaves(session, attributes), totals: new Map() };
    this.store = new FormStore(session, attributes, base);
    this.#version = read?.version ?? null;
    const key = {
      account: session.user.documentId,
      uid: place.type.uid,
      documentId: place.id === "new" ? `new-${place.draft ?? ""}` : place.id,
      locale: place.locale ?? "",
    };
    this.keeper = new DraftKeeper(this.store, key, () => this.#version);
    this.#state = { ...AT_REST, entry: read?.entry };
  }

  /** Reads a document, and what was typed into it earlier. @throws ApiError */
  static async open(session: Session, place: DocumentPlace): Promise<OpenDocument> {
    const read = await readIfThere(place).catch((error: unknown) => error as Error);
    const opened = new OpenDocument(session, place, read instanceof Error ? undefined : read);
    const kept = await opened.keeper.find();
    const [first] = kept;
    // What was typed outlives its document.
    if (read instanceof Error && !(first && isMissing(read))) throw read;
    if (!first) return opened;
    if (place.id === "new") await opened.#findMade();
    const { store } = opened;
    const conflicts = restore({ store, entry: opened.#state.entry, version: opened.#version }, kept);
    const restored = store.changedPaths.size > 0 ? { at: first.savedAt, isElsewhere: first.isElsewhere } : undefined;
    if (read instanceof Error) opened.#version = first.base;
    opened.#set({ conflicts, restored, isGone: read instanceof Error });
    if (place.id !== opened.place.id) await opened.keeper.rename(opened.place.id);
    return opened;
  }

  get place(): DocumentPlace {
    return this.#place;
  }

  get state(): DocumentState {
    return this.#state;
  }

  /** null: it is new. */
  get version(): string | null {
    return this.#version;
  }

  get isNew(): boolean {
    return this.#version === null;
  }

  /** Calls a listener when the state is another. @returns what stops it */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets what was typed. */
  async revert(): Promise<void> {
    this.#waiting?.abort();
    this.store.rebase(this.store.base);
    if (this.#state.work === "waiting") this.#set({ work: "rest" });
    this.#set({ restored: undefined, error: undefined, problems: this.store.setProblems([]) });
    await this.keeper.forget();
  }

  /** Saves the draft; of a type without drafts what is live. */
  save(): Promise<SaveResult> {
    return this.#queue(() => this.#write({ status: "draft" }));
  }

  /** Saves the draft when typing rests. What is refused is shown at the fields, and saved by the next save. */
  saveQuietly(): Promise<SaveResult> {
    const { work, conflicts, isGone } = this.#state;
    if (work !== "rest" || conflicts.length > 0 || isGone) return Promise.resolve("refused");
    return this.#queue(() => this.#write({ status: "draft", isQuiet: true }));
  }

  /** Lists every problem, or saves and publishes in one request. */
  publish(): Promise<SaveResult> {
    return this.#queue(() => this.#publish());
  }

  /** Stops to wait for the server. */
  close(): void {
    this.#waiting?.abort();
  }

  async #publish(): Promise<SaveResult> {
    this.#set({ work: "saving", error: undefined });
    try {
      const problems = await checkEntry(this.place, this.#data());
      if (problems.length > 0) {
        this.#refuse(problems, undefined);
        return "refused";
      }
    } catch (error) {
      return this.#fail(error, () => this.publish());
    }
    return this.#write({ status: "published" });
  }

  /** Takes it back, throws the draft away, or copies it. @param version - what is expected; default: what the form shows */
  act(action: EntryAction, version?: string): Promise<Outcome> {
    return this.#queue(() => this.#act(action, version));
  }

  async #act(action: EntryAction, version = knownVersion(this.#state, this.#version)): Promise<Outcome> {
    this.#set({ work: "saving", error: undefined });
    const before = new Map(this.store.base.leaves);
    try {
      const read = await actOnEntry(this.place, action, version);
      if (action === "duplicate") {
        this.#set({ work: "rest" });
        return { isDone: true, entry: read.entry };
      }
      if (action === "discard-draft") await this.keeper.forget();
      // What was typed stays, but where the draft is thrown away.
      const [sent, now] = action === "discard-draft" ? [NOTHING, NOTHING] : [before, this.store.leaves];
      this.#take(read, sent, now);
      return { isDone: true, entry: read.entry };
    } catch (error) {
      return this.#failOrAsk(error);
    }
  }

  /**
   * Deletes it.
   *
   * @param locale - `*`: in all languages
   * @param version - what is expected; default: what the form shows
   */
  async remove(locale: string | undefined, version = knownVersion(this.#state, this.#version)): Promise<Outcome> {
    try {
      await deleteEntry(this.place, locale, version);
      await this.keeper.forget();
      return { isDone: true };
    } catch (error) {
      return this.#failOrAsk(error);
    }
  }

  #failOrAsk(error: unknown): Outcome {
    const conflict = conflictIn(error);
    if (!conflict) this.#fail(error);
    else this.#set({ work: "rest" });
    return conflict ? { conflict } : {};
  }

  /** Goes on with what somebody chose at each path where two changed the same. */
  async resolve(chosen: ReadonlyMap<Path, unknown>): Promise<SaveResult> {
    const [conflict, ...conflicts] = this.#state.conflicts;
    if (!conflict) return "refused";
    this.#set({ conflicts });
    const { status, theirs, leaves, version, entry, isTaken } = conflict;
    if (status === undefined && !isTaken) {
      this.store.apply(chosen);
      return "refused";
    }
    this.#version = version;
    this.store.rebase(theirs, new Map([...leaves, ...chosen]));
    this.#set({ entry, others: undefined });
    if (status === undefined) return "taken";
    return this.#queue(() => this.#write({ status }));
  }

  /** Leaves the question open; the form is as it was. */
  postpone(): void {
    this.#set({ conflicts: this.#state.conflicts.slice(1) });
  }

  /** Makes it again of what is in the form, after somebody deleted it. */
  async recreate(): Promise<Entry | undefined> {
    try {
      const entry = await recreateEntry(this.store, this.place, this.#newId);
      await this.keeper.forget();
      return entry;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  /** A form for a new document whose save was not answered may have made it. */
  async #findMade(): Promise<void> {
    const place = { ...this.place, id: this.#newId };
    const read = await readIfMade(place);
    if (!read) return;
    this.#place = place;
    this.#version = read.version;
    this.store.rebase(flatten(this.store.shapes, place.type.attributes, read.entry));
    this.#set({ entry: read.entry });
  }

  #data() {
    return this.isNew ? wholeOf(this.store) : changesOf(this.store);
  }

  /** Writes follow each other: a second save waits for the first, and then has little to send. */
  #queue<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting?.abort();
    return this.after(work);
  }

  /** Does something when no write is under way. */
  after<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #write(saving: Saving): Promise<SaveResult> {
    const { status, tries = MAX_TRIES } = saving;
    const data = this.#data();
    const sent = new Map(this.store.leaves);
    const isUnchanged = !this.isNew && Object.keys(data).length === 0;
    if (isUnchanged && status === "draft") return await this.#finish("saved");
    this.#set({ work: "saving", error: undefined });
    try {
      const read = isUnchanged
        ? await actOnEntry(this.place, "publish", this.#version)
        : await this.#send({ data, status });
      this.#take(read, sent, this.store.leaves);
      return await this.#finish(status === "published" ? "published" : "saved");
    } catch (error) {
      if (isUnanswered(error)) this.#unanswered = sent;
      if (conflictIn(error) && tries > 0) return await this.#meet({ ...saving, tries: tries - 1 });
      return this.#fail(error, () => this.#queue(() => this.#write({ status })), saving.isQuiet);
    }
  }

  /** What was saved is kept no longer. */
  async #finish(result: SaveResult): Promise<SaveResult> {
    this.#set({ work: "rest" });
    const { entry } = this.#state;
    if (this.place.id === "new" && entry) await this.#settle(entry.documentId);
    else if (this.store.changedPaths.size === 0) await this.keeper.forget();
    return result;
  }

  /** The document is there: it has an id, and what is typed from here on is kept under it. */
  async #settle(id: string): Promise<void> {
    this.#place = { ...this.place, id };
    await this.keeper.rename(id);
    this.#set({});
  }

  #send(body: { readonly data: Readonly<Record<string, unknown>>; readonly status: Status }): Promise<Read> {
    if (this.place.id !== "new") return updateEntry(this.place, this.#version, body);
    return createEntry(this.place, { ...body, documentId: this.#newId });
  }

  /** What the server answered is the base now; what was typed meanwhile stays upon it. */
  #take({ entry, version }: Read, sent: Leaves, now: Leaves): void {
    const { attributes } = this.place.type;
    const { shapes } = this.store;
    const theirs = flatten(shapes, attributes, entry, keysByPlace(sent));
    keepLinks(theirs, sent);
    const { leaves } = merge({ shapes, base: sent, mine: now, theirs }, attributes);
    this.#version = version;
    this.#unanswered = undefined;
    this.store.rebase(theirs, leaves);
    this.#set({ ...SETTLED, entry });
  }

  /**
   * Somebody else saved meanwhile, or an earlier save of this form did and was not answered: what is stored and what is in
   * the form are joined, and saved again where they do not overlap.
   */
  async #meet(saving: Saving): Promise<SaveResult> {
    try {
      const place = this.place.id === "new" ? { ...this.place, id: this.#newId } : this.place;
      const read = await readEntry(place);
      if (place.id !== this.place.id) await this.#settle(place.id);
      const sent = this.#unanswered;
      const met = meet(this.store, read, sent);
      if (met.merged.overlaps.length > 0) return this.ask(met, saving);
      this.adopt(met);
      const result = await this.#write(saving);
      return result === "saved" && !sent ? "merged" : result;
    } catch (error) {
      return this.#fail(error, () => this.#queue(() => this.#write(saving)), saving.isQuiet);
    }
  }

  /** What overlaps is asked by a save that somebody wanted. */
  ask(met: Met, { status, isQuiet }: Partial<Saving> = {}): SaveResult {
    this.#set({ work: "rest", conflicts: isQuiet ? [] : [conflictOf(met, status)] });
    return "refused";
  }

  /** What others saved is part of the form, and what is typed stays upon it. */
  adopt({ merged, stored, entry, version }: Met): void {
    this.#version = version;
    this.#unanswered = undefined;
    this.store.rebase(stored, merged.leaves);
    this.#set({ entry, isGone: false, others: undefined });
  }

  /** @param again - what is tried again once the server can be reached */
  #fail(error: unknown, again?: () => Promise<unknown>, isQuiet = false): SaveResult {
    const isGone = error instanceof ApiError && error.status === 404 && !this.isNew;
    this.#set({ isGone });
    if (isQuiet) this.#refuse([], undefined, problemsOf(error));
    else this.#refuse(problemsOf(error), isAskedAbove(error) ? undefined : error);
    if (isUnanswered(error) && again && !isQuiet) {
      this.#set({ work: "waiting" });
      this.#waiting = tryLater(again);
    }
    return "refused";
  }

  /** @param atFields - what is shown at the fields; default: all problems */
  #refuse(problems: readonly Problem[], error: unknown, atFields = problems): void {
    const shown = this.store.setProblems(atFields);
    this.#set({ work: "rest", problems: problems.length > 0 ? shown : [], error });
  }

  /** Says what others did. */
  note(change: Partial<Pick<DocumentState, "entry" | "others" | "isGone" | "goneBy">>): void {
    this.#set(change);
  }

  #set(change: Partial<DocumentState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

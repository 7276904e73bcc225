import {
  type App,
  alongLoad,
  currentOrigin,
  type LoadEvent,
  type RegisterContext,
  type Statement,
  type StoredDocument,
  type WriteEvent,
  writeHooks,
} from "@plinth/core";
import { type ContentType, jsonText } from "@plinth/core/schema";
import type { EventSubject } from "./contract.js";
import { entryStatement, type NewEvent } from "./entry-statement.js";
import { InvalidDataError } from "./errors.js";
import { subjectOf } from "./event-types.js";
import { NEWEST } from "./tables.js";
import { Wake } from "./wake.js";

const INSERT = `insert into ${NEWEST} (type, uid, document_id, locales, origin) values ($1, $2, $3, $4, $5)`;
/** Two events of one write. */
const INSERT_BOTH = `${INSERT}, ($6, $2, $3, $4, $5)`;
const INSERT_DATA = `insert into ${NEWEST} (type, uid, document_id, locales, origin, data) values ($1, $2, $3, $4, $5, $6)`;
const INSERT_LOADED = `insert into ${NEWEST} (type, uid, document_id, locales, origin)
  select v.type, $1, v.document_id, v.locales, $2::jsonb from jsonb_to_recordset($3::jsonb) as v(type text, document_id text, locales text[])`;

type Write = keyof typeof writeHooks;

/** The last part of the type of an event. */
const VERBS: Readonly<Record<Write, string>> = {
  create: "create",
  update: "update",
  delete: "delete",
  publish: "publish",
  unpublish: "unpublish",
  discardDraft: "draft-discard",
};

/** Whether an event is one of a write of a document of that type, and not of somebody else's. */
export function isOfWrite(model: App["model"], contentType: ContentType, type: string): boolean {
  const subject = subjectOf(model, contentType);
  return Object.values(VERBS).some((verb) => type === `${subject}.${verb}`);
}

/** Writes events with what they are about, in its transaction. */
export class Outbox {
  /** How the events of each content-type begin; undefined: it has none. */
  readonly #subjects = new Map<string, string | undefined>();
  /** How often the content of a type is wanted, by its uid. */
  readonly #wanted = new Map<string, number>();
  /** Writes whose publishing was noted with the create or update. */
  readonly #publishNoted = new WeakSet<WriteEvent>();
  readonly #wakeReaders = (): void => this.wake.send();
  /** Whether there is a table to write to. */
  isOpen = false;

  constructor(
    private readonly app: App,
    private readonly wake: Wake,
  ) {}

  /** Has events of content-types keep what is in the documents. @returns ends it */
  keepEntriesOf(uids: readonly string[]): () => void {
    const add = (number: number): void => {
      for (const uid of uids) this.#wanted.set(uid, (this.#wanted.get(uid) ?? 0) + number);
    };
    add(1);
    let isOver = false;
    return () => {
      if (!isOver) add(-1);
      isOver = true;
    };
  }

  /** The statement that writes an event of somebody else's. @throws PLINTH_EVENTS_DATA_INVALID (400) */
  published(type: string, { uid, documentId, locales = [], origin }: EventSubject, data: unknown): Statement {
    if ([uid, documentId, ...locales].some((part) => part?.includes("\0")))
      throw new InvalidDataError({ type, reason: "there is a character U+0000 in its subject" });
    const values = [type, uid ?? null, documentId ?? null, locales, JSON.stringify(origin ?? currentOrigin())];
    if (data === undefined) return { text: INSERT, values, isPlan: true };
    const json = jsonText(data);
    if ("problem" in json) throw new InvalidDataError({ type, reason: json.problem }, { cause: json.cause });
    return { text: INSERT_DATA, values: [...values, json.text], isPlan: true };
  }

  /** What goes along with a write. */
  note(write: Write, event: WriteEvent): readonly Statement[] | undefined {
    const subject = this.#subjectOf(event.uid);
    if (subject === undefined || event.isTrial || !this.isOpen) return undefined;
    if (write === "publish" && this.#publishNoted.delete(event)) return undefined;
    this.app.db.afterCommit(this.#wakeReaders);
    const { uid, documentId, origin } = event;
    const locales = event.locales.filter((locale) => locale !== "");
    const made: NewEvent = {
      type: `${subject}.${VERBS[write]}`,
      uid,
      documentId,
      locales,
      origin: JSON.stringify(origin),
      data: dataOf(event),
    };
    const publication = `${subject}.${VERBS.publish}`;
    // What is published has changed, although `publish` was not called.
    const changesPublished = event.changesPublished === true && event.publishes !== true;
    if ((this.#wanted.get(uid) ?? 0) > 0) {
      const entry = entryStatement(this.app, write, made);
      return changesPublished ? [entry, entryStatement(this.app, "publish", { ...made, type: publication })] : [entry];
    }
    const values = [made.type, uid, documentId, locales, made.origin];
    if (made.data !== null) return [{ text: INSERT_DATA, values: [...values, made.data], isPlan: true }];
    if (write === "publish" || !(event.publishes || changesPublished)) return [{ text: INSERT, values, isPlan: true }];
    if (event.publishes) this.#publishNoted.add(event);
    return [{ text: INSERT_BOTH, values: [...values, publication], isPlan: true }];
  }

  /** What goes along with an import. */
  noteLoaded({ uid, versions, origin }: LoadEvent): readonly Statement[] | undefined {
    const subject = this.#subjectOf(uid);
    if (subject === undefined || !this.isOpen) return undefined;
    this.app.db.afterCommit(this.#wakeReaders);
    const hasDrafts = this.app.model.contentTypes.get(uid)?.hasDrafts ?? false;
    const rows = loadedEvents(versions, hasDrafts).map(({ verb, ...row }) => ({ type: `${subject}.${verb}`, ...row }));
    return [{ text: INSERT_LOADED, values: [uid, JSON.stringify(origin), JSON.stringify(rows)], isPlan: true }];
  }

  #subjectOf(uid: string): string | undefined {
    if (!this.#subjects.has(uid)) {
      const type = this.app.model.contentTypes.get(uid);
      this.#subjects.set(uid, type && subjectOf(this.app.model, type));
    }
    return this.#subjects.get(uid);
  }
}

/** What a delete says of what is gone; see Event. */
function dataOf({ wasPublished, publishedLocales = [] }: WriteEvent): string | null {
  if (wasPublished === undefined) return null;
  const locales = publishedLocales.filter((locale) => locale !== "");
  return JSON.stringify({ wasPublished, ...(locales.length > 0 ? { publishedLocales: locales } : {}) });
}

/** What an app writes events with. */
export interface Writing {
  readonly outbox: Outbox;
  readonly wake: Wake;
}

const writings = new WeakMap<object, Writing>();

/** What an app writes events with, also before its services are there. */
export function writingOf(app: App): Writing {
  const known = writings.get(app);
  if (known) return known;
  const wake = new Wake(app);
  const made = { wake, outbox: new Outbox(app, wake) };
  writings.set(app, made);
  return made;
}

/** Has all writes noted. */
export function listenToWrites(on: RegisterContext<object>["on"], outbox: Outbox): void {
  for (const write of Object.keys(VERBS) as Write[]) on(writeHooks[write].along, (event) => outbox.note(write, event));
  on(alongLoad, (event) => outbox.noteLoaded(event));
}

/** A row of the table, as far as a load says it. */
interface LoadedEvent {
  readonly verb: string;
  readonly document_id: string;
  readonly locales: readonly string[];
}

/** The events of imported versions: one of each document, and one more where it is published. */
function loadedEvents(versions: LoadEvent["versions"], hasDrafts: boolean): readonly LoadedEvent[] {
  const documents = new Map<string, StoredDocument[]>();
  for (const version of versions) {
    const own = documents.get(version.documentId);
    if (own) own.push(version);
    else documents.set(version.documentId, [version]);
  }
  return [...documents].flatMap(([document_id, own]) => {
    const localesOf = (some: LoadEvent["versions"]) => [...new Set(some.map(({ locale }) => locale).filter(Boolean))];
    const isNew = own.every(({ isReplaced }) => !isReplaced);
    const published = own.filter(({ isDraft }) => !isDraft);
    const written = { verb: isNew ? "create" : "update", document_id, locales: localesOf(own) };
    if (!hasDrafts || published.length === 0) return [written];
    return [written, { verb: "publish", document_id, locales: localesOf(published) }];
  });
}

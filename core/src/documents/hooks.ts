import type { Statement } from "../database/driver/database.js";
import type { AnyHook, Hook } from "../kernel/hook.js";
import { hook } from "../kernel/hook.js";
import type { HookBus } from "../kernel/hook-bus.js";
import type { ContentTypeUid, LooseUid } from "../schema/declared-types.js";
import type { Ability } from "../access/ability.js";
import type { WriteOrigin } from "../access/origin.js";
import type { Author, Document } from "./documents.js";
import type { ChangesOf, DocumentOf } from "./typed/typed-documents.js";

/** Name of an operation on documents. */
export type Operation =
  | "findMany"
  | "findFirst"
  | "findOne"
  | "count"
  | "read"
  | "create"
  | "update"
  | "delete"
  | "publish"
  | "unpublish"
  | "discardDraft";

/** A call of an operation, as `documents:aroundOperation` sees it. */
export interface OperationContext {
  readonly uid: string;
  readonly operation: Operation;
  /** The parameters of the call; the PreparedQuery for `read`. */
  readonly params: unknown;
  /** Who calls it, over which transport, in which request. */
  readonly origin: WriteOrigin;
}

/** A change of a document, before or after it is made. */
export interface WriteEvent {
  readonly uid: string;
  readonly documentId: string;
  /** The locales it is made in; `[""]` on types that are not localised. */
  readonly locales: readonly string[];
  /**
   * The locales that the document has beside these, whose rows the write may change as well: what all of them share. Absent
   * where there are none: a create without them makes the document, one with them gives it a locale more.
   */
  readonly otherLocales?: readonly string[];
  /** Of a create or update: whether it publishes as well, and passes the hooks of `publish` with this event. */
  readonly publishes?: true;
  /** Of an update with `alsoPublished`: whether it changes a published version. The hooks of `publish` are not called. */
  readonly changesPublished?: true;
  /** The data of a create or update. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Who becomes its author; absent for clients of the content API, and for code that does not say. Who acts is in `origin`. */
  readonly author?: Author;
  /** Whose grants hold for the write; absent where code does not say, and may do everything. */
  readonly ability?: Ability;
  /**
   * Who acts, over which transport, in which request. `traceparent` is that of the span of this write where there are
   * traces: what is done later about the write belongs to it.
   */
  readonly origin: WriteOrigin;
  /**
   * The write is rolled back in any case: the admin page checks what is typed by writing it. A handler of
   * `before*` and `after*` should check as always, and leave out what no rollback takes back, such as a mail.
   */
  readonly isTrial?: true;
  /** Of a delete: whether a published version goes. */
  readonly wasPublished?: boolean;
  /** Of a delete: the locales in which a published version goes, as in `locales`. */
  readonly publishedLocales?: readonly string[];
  /** What the operation returns; in `after*` and `on*`. */
  readonly documents?: readonly Document[];
}

/** A document of which a read returned some fields. */
export type LoadedDocument<Uid extends ContentTypeUid> = Document & Partial<DocumentOf<Uid>>;

/** A change of a document of one content-type; see isWriteOf. */
export interface WriteEventOf<Uid extends ContentTypeUid> extends WriteEvent {
  readonly uid: Uid;
  readonly data?: ChangesOf<Uid> & Readonly<Record<string, unknown>>;
  readonly documents?: readonly LoadedDocument<Uid>[];
}

/** What a handler of `documents:transformInput` gets beside the data. */
export interface InputContext {
  readonly uid: string;
  readonly operation: "create" | "update";
  /** Undefined before a create. */
  readonly documentId: string | undefined;
  readonly origin: WriteOrigin;
}

const before = (subject: string, when: string) =>
  hook.series<WriteEvent>(`documents:before${capital(subject)}`, `${when}, in its transaction; a throw rolls it back.`);
const after = (subject: string, when: string) =>
  hook.series<WriteEvent>(`documents:after${capital(subject)}`, `${when}, in the transaction; a throw rolls it back.`);
const ahead = (subject: string, when: string) =>
  hook.gather<WriteEvent, Statement>(
    `documents:ahead${capital(subject)}`,
    `${when}; statements that are sent before the change.`,
  );
const along = (subject: string, when: string) =>
  hook.gather<WriteEvent, Statement>(
    `documents:along${capital(subject)}`,
    `${when}; statements that are sent after the change, with it.`,
  );
const on = (subject: string, when: string) =>
  hook.notify<WriteEvent>(`documents:on${capital(subject)}`, `${when}, and the transaction has committed.`);
const stagesOf = (subject: string, doing: string, done: string) => ({
  before: before(subject, `Before a document is ${doing}`),
  ahead: ahead(subject, `While a document is ${doing}`),
  along: along(subject, `While a document is ${doing}`),
  after: after(subject, `After a document was ${done}`),
  on: on(subject, `A document was ${done}`),
});

/** Around every operation: `(context, next) => result`; may change what is returned, or throw. */
export const aroundOperation = hook.around<OperationContext, unknown>(
  "documents:aroundOperation",
  "Around every operation on documents, reads included.",
);

/** The data of a create or update, before they are checked. */
export const transformInput = hook.waterfall<Readonly<Record<string, unknown>>, InputContext>(
  "documents:transformInput",
  "The data of a create or update, before they are checked.",
);

/**
 * What reads return of one content-type, document by document, populated ones included. Bound to a type, because every
 * read that can return that type has to parse what PostgreSQL built; reads of other types do not.
 */
export function transformOutput<Uid extends ContentTypeUid>(uid: Uid): OutputHook<LoadedDocument<Uid>>;
export function transformOutput<Uid extends string>(uid: LooseUid<Uid>): OutputHook<Document>;
export function transformOutput(uid: string): OutputHook<Document> {
  return hook.waterfall(
    `documents(${uid}):transformOutput`,
    `Each document of ${uid} that a read returns, populated ones included.`,
  );
}

type OutputHook<D> = Hook<"waterfall", { readonly uid: string }, D>;

/** A type guard: whether a change is one of a content-type. */
export function isWriteOf<Uid extends ContentTypeUid>(event: WriteEvent, uid: Uid): event is WriteEventOf<Uid> {
  return event.uid === uid;
}

/**
 * The stages of each kind of write. A publishing create or update passes those of `publish` as well. An update that changes
 * nothing passes `before` only, of `publish` as well where it says so: its handlers may refuse it.
 *
 * `ahead` and `along` note something in the transaction of a write without a round trip of its own: their handlers do no
 * I/O, and return SQL statements. Those of `ahead` are sent before the change and see the rows as they were (of a write that
 * publishes as well, those of `publish` may see what it wrote before). Those of `along` are sent with the last ones of the
 * write, and see the rows as it leaves them, and those of a delete as they were. One that fails fails the write.
 */
export const writeHooks = {
  create: stagesOf("create", "created, or gets a new locale", "created, or got a new locale"),
  update: stagesOf("update", "updated", "updated"),
  delete: stagesOf("delete", "deleted", "deleted"),
  publish: stagesOf("publish", "published", "published"),
  unpublish: stagesOf("unpublish", "unpublished", "unpublished"),
  discardDraft: stagesOf("discardDraft", "reset to its published version", "reset to its published version"),
} as const;

/** Versions of documents of one content-type that an import stores. */
export interface LoadEvent {
  readonly uid: string;
  readonly versions: readonly StoredDocument[];
  readonly origin: WriteOrigin;
}

/** A version that was stored. */
export interface StoredDocument {
  readonly documentId: string;
  /** `""` on types that are not localised. */
  readonly locale: string;
  readonly isDraft: boolean;
  /** Whether it took the place of one that was there. */
  readonly isReplaced: boolean;
}

/** What goes along with an import, which passes no other hook of documents; see `along` of writeHooks. */
export const alongLoad = hook.gather<LoadEvent, Statement>(
  "documents:alongLoad",
  "While versions of documents are imported or restored; statements that are sent with them.",
);

/** All hooks of documents, to be declared when an app starts. */
export function documentHooks(uids: Iterable<string>): readonly AnyHook[] {
  const stages = Object.values(writeHooks).flatMap((stage) => Object.values(stage));
  return [aroundOperation, transformInput, ...stages, alongLoad, ...[...uids].map((uid) => transformOutput(uid))];
}

/** Whether hooks of reads have handlers, of any of these content-types. */
export function runsCodeInReads(bus: Pick<HookBus, "has">, uids: Iterable<string>): boolean {
  return [aroundOperation, ...[...uids].map((uid) => transformOutput(uid))].some((target) => bus.has(target));
}

function capital(text: string): Capitalize<string> {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}` as Capitalize<string>;
}

import type { Person } from "./account.js";
import type { FileView } from "./files.js";
import type { DocumentState, RelatedEntry } from "./related.js";

export type { DocumentState, RelatedEntry, UseList } from "./related.js";

/** What the server knows of a row beside its fields. */
export interface Facts {
  readonly state: DocumentState;
  readonly createdBy: Person | null;
  readonly updatedBy: Person | null;
  /** The locales that there are, those that may be seen. */
  readonly locales: readonly LocaleState[];
}

/** A locale of a document. */
export interface LocaleState {
  readonly locale: string;
  readonly state: DocumentState;
}

/** A document as it is stored, with its facts. */
export interface Entry {
  readonly documentId: string;
  readonly id: number;
  readonly locale: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string | null;
  readonly _facts: Facts;
  readonly [attribute: string]: unknown;
}

/**
 * `GET /admin/api/content/:uid`. `fields` names the columns; without it they are the values that are one short text or
 * number. In a row a relation is a RelationValue with its first document, media its first file, a list of components
 * their number, and one component its title.
 */
export interface EntryList {
  readonly data: readonly Entry[];
  readonly meta: {
    readonly pagination: {
      readonly pageSize: number;
      /** For `pagination[cursor]`; null: this is the last page. */
      readonly nextCursor: string | null;
      readonly page?: number;
      /** Only with `withCount=true`. */
      readonly total?: number;
    };
  };
}

/** `GET /admin/api/content/:uid/count`. */
export interface EntryCount {
  readonly total: number;
}

/**
 * `GET /admin/api/content/:uid/:id`, and what every write of one document answers. Its `ETag` is what `If-Match` wants:
 * the part before `-` is the version of the document, and the rest changes with what the answer shows.
 */
export interface OneEntry {
  readonly data: Entry;
}

/** Value of a relation in one entry: the first ten, and how many there are. */
export interface RelationValue {
  readonly total: number;
  readonly items: readonly RelatedEntry[];
}

/**
 * `GET /admin/api/content/:uid/relations/:path?_q&cursor&locale&without=:id` and
 * `GET /admin/api/content/:uid/:id/relations/:path?cursor&locale`.
 *
 * A path is names with dots between them: `author`, `seo.image`. Behind a zone stands the uid of a component,
 * `sections.shared.quote.author`, and behind any list of components the id of an item may follow: `steps.17.by`,
 * `sections.shared.quote.17.author`. Of a relation to several types `type=` says which one is looked in.
 */
export interface RelatedList {
  readonly data: readonly RelatedEntry[];
  readonly meta: { readonly nextCursor: string | null };
}

/** Body of `POST /admin/api/named`. */
export interface NamesRequest {
  readonly documents: readonly { readonly uid: string; readonly documentId: string }[];
  /** documentIds. */
  readonly files: readonly string[];
  /** Of the document that links to them. */
  readonly locale?: string;
}

/** Its answer: in any order, and without those that are not there, or not for the caller. */
export interface NamedDocuments {
  readonly data: readonly RelatedEntry[];
  readonly files: readonly FileView[];
}

/** How a relation changes: what is added, taken out, and moved. Positions as in the content API. */
export interface RelationChange {
  readonly connect?: readonly RelationTarget[];
  readonly disconnect?: readonly RelationTarget[];
  readonly set?: readonly RelationTarget[];
}

/** Body of `POST /admin/api/content/:uid`. Sent again with the same id it makes no second document, but answers 412. */
export interface NewEntry extends EntryChanges {
  /** 24 of the characters 0-9 and a-z; default: the server makes one. */
  readonly documentId?: string;
}

/** A document that a relation points to. */
export interface RelationTarget {
  readonly documentId: string;
  readonly locale?: string | null;
  /** Where the relation has several types of target. */
  readonly __type?: string;
  readonly position?: { readonly before?: string; readonly after?: string; readonly start?: true; readonly end?: true };
}

/** Body of `PUT /admin/api/content/:uid/:id`: only what changed. */
export interface EntryChanges {
  readonly data: Readonly<Record<string, unknown>>;
  /** `published` saves and publishes. */
  readonly status?: "draft" | "published";
}

/** What may be done with one document. */
export type EntryAction = "publish" | "unpublish" | "discard-draft" | "duplicate";

/** What may be done with up to 1,000 documents at once. */
export type BulkAction = "publish" | "unpublish" | "discard-draft" | "delete" | "set";

/** Body of `POST /admin/api/content/:uid/actions/:action`, which answers 204, or 400 with the problems of all documents. */
export interface BulkRequest {
  readonly documentIds: readonly string[];
  readonly locale?: string;
  /** Of `set`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** One thing that is wrong, as `details.errors` of an error has it. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly code?: string;
  readonly locale?: string;
  /** Of bulk actions. */
  readonly documentId?: string;
}

/** `POST /admin/api/content/:uid/check?mode=publish` (or `mode=save`): every problem, nothing written. */
export interface CheckRequest {
  /** null: it is new. Unused for single types. */
  readonly documentId: string | null;
  readonly locale?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Answer of a check. */
export interface CheckResult {
  readonly errors: readonly Problem[];
}

/** `details` of a 412: the document changed meanwhile. */
export interface Conflict {
  /** An entity tag of its version now: for `If-Match` as it is. */
  readonly version: string;
  /** ISO 8601. */
  readonly changedAt: string;
  readonly changedBy: Person | null;
}

import type { Ability } from "../access/ability.js";
import type { LockMode, Statement } from "../database/driver/database.js";
import type { PreparedQuery, Status } from "../database/reads/query.js";
import type { ReadOptions, ReadSource } from "../database/reads/read.js";
import type { ExpectedVersions } from "./document-version.js";
import type { FactsRequest } from "./params/facts.js";
import type { Visibility } from "./params/parse-context.js";
import type { ReadSelection } from "./params/selection-request.js";

/** A document version as it goes over the wire: `id`, `documentId`, attributes, `createdAt`, `updatedAt`, `publishedAt`, `locale`. */
export type Document = { readonly id: number; readonly documentId: string } & Readonly<Record<string, unknown>>;

/** Parameters of reads from code; the same grammar as REST, already parsed from the query string. */
export interface ReadParams {
  readonly filters?: unknown;
  readonly sort?: unknown;
  readonly fields?: unknown;
  readonly populate?: unknown;
  readonly pagination?: {
    readonly page?: number;
    readonly pageSize?: number;
    readonly start?: number;
    readonly limit?: number;
  };
  /** Default from code: `draft` on types with drafts. */
  readonly status?: Status;
  readonly locale?: string;
  /** Locales that stand in, in order, for documents that are not in `locale`: a list, or one text with commas. */
  readonly fallbackLocale?: string | readonly string[];
  readonly search?: string;
  /** Which facts of each row to return as `_facts`; see Facts. Default: none. */
  readonly facts?: FactsRequest;
  /** Whether hooks on output are passed by, but those of files, as for a form that sends back what it got. Default: false. */
  readonly asStored?: boolean;
  /**
   * Whether attributes that the schema marks `private` are returned, and may be named in filters, sort, fields and populate.
   * Passwords never are, and to the public none are. Default: false.
   */
  readonly withPrivate?: boolean;
  /**
   * Who reads: `public` as the content API, which has no private attributes and whose reads have a budget; `admin`: `createdBy`
   * and `updatedBy` may be used in filters, sorts and populate. Default: `code`.
   */
  readonly visibility?: Visibility;
  /** What its grants do not reach does not exist for the read. Default: everything. */
  readonly ability?: Ability;
}

/**
 * Parameters as code gives them. `caller`: what the caller of the request that runs may see and do, by their `ability` unless
 * another one is given; for those who are no administrators as `public`, and reads give what is published by default. An
 * administrator becomes the author of what is written.
 *
 * @throws PLINTH_ACCESS_NO_CALLER (500) outside of a request
 */
export type Asked<Params> = Omit<Params, "visibility"> & { readonly visibility?: Visibility | "caller" };

/** Parameters of a read of one document. */
export interface OneParams extends ReadParams {
  readonly documentId: string;
}

/** Who writes: a document of the content-type of authors. The user of an administrator's actor is one. */
export interface Author {
  /** Row id. */
  readonly id: number;
}

/**
 * What a write returns of its document. The names in filters and sort are checked; a create and an update do not depend on
 * them.
 */
export interface AnswerParams
  extends Pick<ReadParams, "fields" | "populate" | "filters" | "sort" | "facts" | "asStored" | "withPrivate"> {
  /** In place of `fields` and `populate`. */
  readonly selection?: ReadSelection;
}

/** Parameters of a creation. */
export interface CreateParams extends AnswerParams, Pick<ReadParams, "locale"> {
  /** The id that a new document gets; default: a random one. Where it is there already, it gets another locale. */
  readonly documentId?: string;
  /** From trusted code it may have the `documentId` as well. */
  readonly data: Readonly<Record<string, unknown>>;
  /** `published` publishes at once; default from code: `draft`. */
  readonly status?: Status;
  /**
   * The origin of the data and the reader of the answer: `public` and `admin` may not write what the schema marks
   * `writable: false`; `public` is not shown private attributes, `admin` may be shown authors. Default: `code`.
   */
  readonly visibility?: Visibility;
  /** Becomes `createdBy` of rows that are made, and `updatedBy` of rows that are changed. Default: null. */
  readonly author?: Author | undefined;
  /** True: the caller rolls the write back. Handlers find it in their event; nothing else depends on it. Default: false. */
  readonly isTrial?: boolean;
  /**
   * Whose grants hold: for the attributes that may be written, the row before and after, the documents that may be linked
   * to, and what the answer shows. Without the action itself no row is reached; see allowAction. Default: everything.
   */
  readonly ability?: Ability;
}

/** The versions that a write expects, in every locale of it. */
export interface Precondition {
  /** The versions that it may find; any other is rejected, and so is a missing document. */
  readonly ifVersion?: ExpectedVersions | undefined;
  /** The versions that it may not find; `"*"`: the locale has to be new. */
  readonly unlessVersion?: ExpectedVersions | undefined;
}

/**
 * Parameters of an update: attributes that `data` does not name keep their values. One that changes nothing writes nothing, and
 * returns the document as it is stored.
 */
export interface UpdateParams extends CreateParams, Precondition {
  readonly documentId: string;
  /**
   * True: the published row, where there is one, gets the same change, and nothing else of the draft is published.
   * Default: false.
   */
  readonly alsoPublished?: boolean;
}

/**
 * Which versions an operation works on; no locale: the default locale; `"*"`: all of the document. With `filters`: those
 * locales in which every version that the operation is about fulfils them. Filters are for code, and not for `public`.
 */
export interface VersionParams extends AnswerParams, Precondition {
  readonly documentId: string;
  readonly locale?: string | readonly string[];
  /** Who reads the answer; as in CreateParams. */
  readonly visibility?: Visibility;
  /** For hooks: it is no author of the document yet who publishes or deletes it. */
  readonly author?: Author | undefined;
  /** As in CreateParams. */
  readonly isTrial?: boolean;
  /** As in CreateParams; draft actions keep the rule of updating as well, where there is one. */
  readonly ability?: Ability;
}

/** The same for several documents. */
export interface ManyParams extends Omit<VersionParams, "documentId"> {
  /** At most 1,000; named twice is named once. */
  readonly documentIds: readonly string[];
}

/** An update of several documents by the same data. */
export interface UpdateManyParams extends Omit<UpdateParams, "documentId">, Pick<ManyParams, "documentIds"> {}

/** What publish, unpublish, discardDraft and delete return. */
export interface VersionsResult {
  readonly documentId: string;
  readonly entries: readonly Document[];
}

/**
 * The text PostgreSQL built for a read, passed on as it is; rows are parsed only when asked for.
 * `text` is a JSON array for lists, a JSON object or `null` for one document.
 */
export interface ReadResult {
  readonly text: string;
  /** Total of matching rows when the Query asked for the count. */
  readonly total: number | undefined;
  /** For `pagination.cursor` of the page after this one; undefined at the end, and for pages without a cursor. */
  readonly nextCursor: string | undefined;
  /** Of one document; see documentVersion. */
  readonly version: string | undefined;
  /** What the text was read from; undefined where further documents were fetched for it. */
  readonly source: ReadSource | undefined;
  /** The stamp of the source just before the read, where that was asked for. */
  readonly stamp: string | undefined;
  rows(): readonly Document[];
}

/** One place where a document is linked to. */
export interface DocumentUse {
  /** Uid of the content-type of the document that holds the link. */
  readonly uid: string;
  readonly documentId: string;
  /** Name of the attribute; inside of components with their uid before it: `shared.seo#ogImage`. */
  readonly field: string;
  /** Which version holds it; `published` on types without drafts. */
  readonly status: Status;
  /** `""` on types that are not localised. */
  readonly locale: string;
}

/** The operations on one content-type: `app.documents("api::article.article")`. */
export interface Documents {
  findMany(params?: Asked<ReadParams>): Promise<Document[]>;
  findFirst(params?: Asked<ReadParams>): Promise<Document | null>;
  findOne(params: Asked<OneParams>): Promise<Document | null>;
  count(params?: Asked<ReadParams>): Promise<number>;
  create(params: Asked<CreateParams>): Promise<Document>;
  /**
   * Null when there is no such document, or none that the ability reaches.
   *
   * @throws PLINTH_DOCUMENT_VERSION_MISMATCH (412) where the precondition does not hold; so do the next four
   */
  update(params: Asked<UpdateParams>): Promise<Document | null>;
  /**
   * Of a single type: updates its document, or creates it where there is none. Passes the hooks of `update` or `create`.
   * Null for a document that the ability does not reach.
   */
  upsertSingle(params: Asked<CreateParams & Precondition>): Promise<Document | null>;
  /** Of a single type: the id of its document, with any version; undefined where there is none. */
  singleId(): Promise<string | undefined>;
  /** Locales with a row that the ability does not reach are left as they are, here and in what follows. */
  delete(params: Asked<VersionParams>): Promise<VersionsResult>;
  publish(params: Asked<VersionParams>): Promise<VersionsResult>;
  unpublish(params: Asked<VersionParams>): Promise<VersionsResult>;
  discardDraft(params: Asked<VersionParams>): Promise<VersionsResult>;
  /**
   * Waits until no other transaction writes a document or links to it, and keeps others from it until the outermost
   * transaction ends.
   *
   * @param mode - `shared`: waits until no other transaction deletes one of its versions, as unpublishing does too, and keeps others
   * from that alone. For rows that name a document without a relation: a deletion sees them, or they are refused. Default: `exclusive`.
   * @returns whether there is such a document.
   * @throws PLINTH_DATABASE_NO_TRANSACTION (500) outside of a transaction
   */
  lock(documentId: string, mode?: LockMode): Promise<boolean>;
  /**
   * Where documents of any type link to a document of this one, without regard to permissions; components included.
   *
   * @param options - `most` limits the uses by each attribute; default: all. Which ones they are is not said.
   */
  usesOf(documentId: string, options?: { readonly most?: number }): Promise<readonly DocumentUse[]>;
  /**
   * All of the documents or none, in one transaction; each passes the hooks of `publish`. In the order of the ids. A
   * document that is not there, or not reached, is passed over, as it is by the operation on one.
   *
   * @throws PLINTH_DOCUMENT_BULK_REFUSED (400) with the problems of all documents; so do the next four
   * @throws PLINTH_DOCUMENT_INVALID_IDS (400)
   */
  publishMany(params: Asked<ManyParams>): Promise<readonly VersionsResult[]>;
  unpublishMany(params: Asked<ManyParams>): Promise<readonly VersionsResult[]>;
  discardDraftMany(params: Asked<ManyParams>): Promise<readonly VersionsResult[]>;
  deleteMany(params: Asked<ManyParams>): Promise<readonly VersionsResult[]>;
  /** Null for a document that is passed over. */
  updateMany(params: Asked<UpdateManyParams>): Promise<readonly (Document | null)[]>;
  /** For transports: reads by a Query that is already parsed and limited by an ability. */
  read(prepared: PreparedQuery, options?: Pick<ReadOptions, "from" | "withStamp">): Promise<ReadResult>;
  /**
   * For transports that answer several reads: the points that one will cost, in the units of `reads` of config/api.
   *
   * @throws PLINTH_QUERY_TOO_COSTLY (400)
   */
  pointsOf(prepared: PreparedQuery, options?: Pick<ReadOptions, "from">): Promise<number>;
  /**
   * The statement of a read, for code that makes it a part of another one; its row has the JSON as text in `data`. Hooks on
   * output do not see it, and what polymorphic relations lead to is not in it.
   */
  statementOf(prepared: PreparedQuery): Statement;
  /**
   * Whether a hook sees the rows of a read: one around operations, or one on the output of a type in it. Without such a
   * hook the text is as PostgreSQL builds it, and fields may have other names than those of the schema.
   */
  hasOutputHooks(prepared: PreparedQuery): boolean;
}

import type { Ability, Author, Document, Handler, Precondition } from "@plinth/core";
import type { MiddlewareRef, PolicyRef, RouteConfig, RouteSource } from "@plinth/core/http";
import type { ReadPoint, ReadSource, StampWish, Visibility } from "@plinth/core/reads";

/** The draft actions; only types with drafts have them. */
export type DraftAction = "publish" | "unpublish" | "discardDraft";

/** The actions that generated endpoints have; single types have no findOne and create. */
export type CoreAction = "find" | "findOne" | "create" | "update" | "delete" | DraftAction;

/** `meta.pagination` of a list, in the style that was asked for; totals only where they were counted. */
export type PaginationMeta =
  | { readonly page: number; readonly pageSize: number; readonly pageCount?: number; readonly total?: number }
  | { readonly start: number; readonly limit: number; readonly total?: number }
  | {
      readonly pageSize: number;
      /** For `pagination[cursor]` of the next page; null after the last one. */
      readonly nextCursor: string | null;
      readonly pageCount?: number;
      readonly total?: number;
    };

/** What the database returned, and why. Code that makes pages or entries of its own leaves it out. */
export interface FoundBySource {
  /** What the text was read from. */
  readonly source?: ReadSource | undefined;
  /** The stamp of the source just before the read, where the caller asked for it. */
  readonly stamp?: string | undefined;
}

/** A page of entries. The text is as PostgreSQL wrote it; rows are parsed when they are asked for. */
export interface FoundPage extends FoundBySource {
  /** A JSON array. */
  readonly text: string;
  readonly pagination: PaginationMeta;
  rows(): readonly Document[];
}

/** One entry, as text and parsed on demand. */
export interface FoundOne extends FoundBySource {
  /** A JSON object. */
  readonly text: string;
  /** For the answer's ETag; undefined where code made the entry. */
  readonly version?: string | undefined;
  row(): Document;
}

/** What a draft action shows: one entry, or, where several locales were named, a list of them. */
export type FoundVersions = FoundOne | FoundList;

/** Versions of a document, or of several. */
export interface FoundList {
  /** A JSON array. */
  readonly text: string;
  rows(): readonly Document[];
}

/** The caller of a service; for writes also the conditions of If-Match and If-None-Match. */
export interface Caller extends Precondition {
  /** `public`: private attributes do not exist. */
  readonly visibility: Visibility;
  /** Its rules hold for what is read, written, linked to and deleted. */
  readonly ability: Ability;
  /** Who becomes the author of what is written. */
  readonly author?: Author | undefined;
  /** What a read has to see where a replica may answer; undefined: the primary answers. */
  readonly from?: ReadPoint | undefined;
  /** Whether a read needs the stamp of what it reads. */
  readonly withStamp?: StampWish | undefined;
}

/** A caller as code names it: `{ visibility: "caller" }` is that of the request that runs, by their own ability unless another one is given. */
export type AskedCaller =
  | Caller
  | (Omit<Caller, "visibility" | "ability"> & { readonly visibility: "caller"; readonly ability?: Ability });

/** The parameters of a request, as in the query string after parsing: `{ filters, sort, fields, populate, ... }`. */
export type Params = Readonly<Record<string, unknown>>;

/** Parameters of a write: those of the answer, and the data. */
export type WriteParams = Params & { readonly data: unknown };

/**
 * The operations of a collection's endpoints, without HTTP. Without a caller they work for code that the server trusts, which gets nothing private either.
 * Null: there is no such document.
 *
 * @throws PLINTH_QUERY_* and PLINTH_INPUT_* (400)
 * @throws PLINTH_HTTP_NOT_FOUND (404) from the draft actions, when there is nothing that the caller may see
 * @throws PLINTH_DOCUMENT_VERSION_MISMATCH (412) for a write of another version than the caller expects
 */
export interface CollectionService {
  find(params?: Params, caller?: AskedCaller): Promise<FoundPage>;
  findOne(documentId: string, params?: Params, caller?: AskedCaller): Promise<FoundOne | null>;
  create(params: WriteParams, caller?: AskedCaller): Promise<FoundOne>;
  update(documentId: string, params: WriteParams, caller?: AskedCaller): Promise<FoundOne | null>;
  delete(documentId: string, params?: Params, caller?: AskedCaller): Promise<void>;
  publish(documentId: string, params?: Params, caller?: AskedCaller): Promise<FoundVersions>;
  unpublish(documentId: string, params?: Params, caller?: AskedCaller): Promise<FoundVersions>;
  discardDraft(documentId: string, params?: Params, caller?: AskedCaller): Promise<FoundVersions>;
  /**
   * All of the documents or none, each through `publish` of this service.
   *
   * @param documentIds - as the client sent them; they are checked here.
   * @throws PLINTH_DOCUMENT_INVALID_IDS, PLINTH_DOCUMENT_BULK_REFUSED (400); so do the next two
   */
  publishMany(documentIds: unknown, params?: Params, caller?: AskedCaller): Promise<FoundList>;
  unpublishMany(documentIds: unknown, params?: Params, caller?: AskedCaller): Promise<FoundList>;
  discardDraftMany(documentIds: unknown, params?: Params, caller?: AskedCaller): Promise<FoundList>;
}

/** The operations of a single type's endpoints, without HTTP; see CollectionService. */
export interface SingleService {
  find(params?: Params, caller?: AskedCaller): Promise<FoundOne | null>;
  /** Null when the caller's rule does not reach the document. */
  createOrUpdate(params: WriteParams, caller?: AskedCaller): Promise<FoundOne | null>;
  delete(params?: Params, caller?: AskedCaller): Promise<void>;
  publish(params?: Params, caller?: AskedCaller): Promise<FoundVersions>;
  unpublish(params?: Params, caller?: AskedCaller): Promise<FoundVersions>;
  discardDraft(params?: Params, caller?: AskedCaller): Promise<FoundVersions>;
}

/** What `super.find(ctx)` and the other core actions return; `data` is parsed when it is read, and may be changed. */
export interface Answer {
  data: unknown;
  meta: Record<string, unknown>;
}

/** The core actions of a controller, the prototype of an extended one. */
export type CoreController = Readonly<Partial<Record<CoreAction, Handler>>>;

/** The options of a route of a core router. */
export interface CoreRouteConfig {
  readonly auth?: NonNullable<RouteConfig["auth"]>;
  readonly policies?: readonly PolicyRef[];
  readonly middlewares?: readonly MiddlewareRef[];
}

/** How a core router differs from the generated one. */
export interface CoreRouterOptions {
  /** Before the paths, behind the REST prefix: `/blog` makes `/api/blog/articles`. */
  readonly prefix?: string;
  /** The actions that have a route; default: all. */
  readonly only?: readonly CoreAction[];
  /** Actions that have none. */
  readonly except?: readonly CoreAction[];
  readonly config?: Readonly<Partial<Record<CoreAction, CoreRouteConfig>>>;
}

/** The routes of one content-type; they replace the generated ones. */
export interface CoreRouter extends RouteSource {
  readonly contentType: string;
}

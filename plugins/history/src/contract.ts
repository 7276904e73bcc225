import {
  type Ability,
  type Author,
  type Precondition,
  type ServiceRef,
  serviceRef,
  type WriteOrigin,
} from "@plinth/core";
import type { Visibility } from "@plinth/core/reads";

/**
 * What was done: `baseline` is how a document was found that had no version yet, just before its first change.
 */
export type VersionAction =
  | "baseline"
  | "create"
  | "update"
  | "publish"
  | "unpublish"
  | "discardDraft"
  | "delete"
  | "import";

/** A document in one locale. */
export interface VersionedDocument {
  readonly documentId: string;
  /** Default: the default locale; unused on types that are not localised. */
  readonly locale?: string | undefined;
}

/** Who looks, and at what he may look: as for a read of the document. */
export interface Viewer {
  /** `public`: private attributes do not exist, and who wrote is not told. Default: `code`. */
  readonly visibility?: Visibility;
  /** Whether private attributes are shown. Default: for administrators only. A restoration by code brings them back in any case. */
  readonly withPrivate?: boolean;
  /** Default: everything. */
  readonly ability?: Ability;
}

/** Who restores, as for an update of the document. */
export interface Restorer extends Viewer, Precondition {
  readonly author?: Author | undefined;
}

/** A version, without what is in it. */
export interface VersionInfo {
  /** Names it, in requests as well. */
  readonly id: string;
  readonly documentId: string;
  /** `""` on types that are not localised. */
  readonly locale: string;
  /** ISO 8601. */
  readonly at: string;
  readonly action: VersionAction;
  /** `published` where the write published what is in it, or found it published; always on types without drafts. */
  readonly status: "draft" | "published";
  /** The attributes that the write changed, in what is edited or in what is published; null where the version before is not kept. */
  readonly changed: readonly string[] | null;
  /** The version that it has its values from, where it was restored. */
  readonly restoredFrom: string | null;
  /** Who wrote; null where it is not known, undefined for clients of the content API. */
  readonly origin?: Omit<WriteOrigin, "traceparent"> | null;
}

/** Something in a version that the content-type does not have like that any more. */
export interface VersionProblem {
  /** The attribute, those of components with dots: `seo.title`. */
  readonly path: string;
  /**
   * `removed`: there is no such attribute any more. `changed`: it is of another type, and the value does not fit. `gone`: it
   * linked to a document that is not there any more, once for each of them; told to viewers who see all documents of that type,
   * and not to clients of the content API.
   */
  readonly problem: "removed" | "changed" | "gone";
}

/** A version with what is in it, as far as the viewer sees it. */
export interface Version extends VersionInfo {
  /**
   * By attribute, as reads return them; relations and media as `{ documentId }`, and `__type` where they lead to several
   * types. Attributes that are newer than the version are missing.
   */
  readonly data: Readonly<Record<string, unknown>>;
  /** What of it is not in `data`. */
  readonly problems: readonly VersionProblem[];
}

/** An attribute that two versions have different values of. */
export interface Difference {
  readonly attribute: string;
  /** Undefined where the version has none. */
  readonly from: unknown;
  readonly to: unknown;
}

/** What was restored. */
export interface Restored {
  readonly documentId: string;
  readonly locale: string;
  /** The attributes that were changed; none where the document has the version's values already. */
  readonly restored: readonly string[];
  /**
   * Attributes that differ and stay as they are, and why; `shared`: all locales share it, and it was not named. `removed` is said
   * as well of a dynamic zone that is restored without components of a kind that it does not take any more, and `gone` of an
   * attribute whose version has links to documents that are not there any more, to viewers who get that in `problems`.
   */
  readonly left: readonly {
    readonly attribute: string;
    readonly reason: VersionProblem["problem"] | "not writable" | "shared";
  }[];
}

/** A document that was deleted, and the version that it had then. */
export interface DeletedDocument extends Pick<VersionInfo, "id" | "documentId" | "locale" | "at" | "origin"> {
  /** The attributes that were asked for, as reads return them. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What of deleted documents is listed. */
export interface DeletedQuery {
  /** At most 100. */
  readonly limit: number;
  /** Attributes without parts, such as the title; others are left out. Default: none. */
  readonly attributes?: readonly string[];
}

/**
 * Earlier versions of documents. What one sees of a version is what one sees of the document today: its rows and drafts,
 * attributes, linked documents. A deleted document is shown to those whose permission to find documents of its type, drafts
 * included, has no rule on rows.
 *
 * @throws PLINTH_HISTORY_NOT_KEPT (404) of every method, for a content-type without history
 * @throws PLINTH_HTTP_NOT_FOUND (404) for documents and versions that are not there, or not for the viewer
 * @throws PLINTH_ACCESS_FORBIDDEN (403) without the permission to find documents of the type, or their drafts
 */
export interface History {
  /**
   * The versions of a document, newest first: those that are kept, and for others than trusted code those in which
   * something changed that they see.
   */
  list(uid: string, document: VersionedDocument, viewer?: Viewer): Promise<readonly VersionInfo[]>;
  findOne(uid: string, version: VersionedDocument & { readonly id: string }, viewer?: Viewer): Promise<Version>;
  /** @param pair - ids of versions; `to` is `now` for the document as it is. */
  compare(
    uid: string,
    pair: VersionedDocument & { readonly from: string; readonly to: string },
    viewer?: Viewer,
  ): Promise<readonly Difference[]>;
  /**
   * Gives a document the values of a version again, by an update of its draft with all hooks, checks and permissions; a
   * deleted document is created. Links to documents that are gone are left out, and those that the restorer does not see stay
   * as they are.
   *
   * @param version - `attributes`: these and no others. Default: all that the restorer sees and may write, without those that
   *   all locales share where the document is there, in this or another locale.
   * @throws PLINTH_HISTORY_INVALID (400) for attributes that cannot be restored
   * @throws PLINTH_DOCUMENT_VERSION_MISMATCH (412) where the document is not as the restorer expects, or is gone
   * @throws what `update` and `create` of documents throw
   */
  restore(
    uid: string,
    version: VersionedDocument & { readonly id: string; readonly attributes?: readonly string[] | undefined },
    restorer?: Restorer,
  ): Promise<Restored>;
  /** Documents that were deleted and are not there again, the latest first. */
  deleted(uid: string, query: DeletedQuery, viewer?: Viewer): Promise<readonly DeletedDocument[]>;
  /** Deletes what is not to be kept any more. @returns how many versions */
  prune(): Promise<number>;
  /** Deletes all versions of a document, as when somebody wants their data gone. @returns how many */
  forget(uid: string, documentId: string): Promise<number>;
}

/** The service behind history: `app.service(history)`. */
export const history: ServiceRef<History> = serviceRef<History>("plugin::history.history");

declare module "@plinth/core" {
  interface Services {
    "plugin::history.history": History;
  }
}

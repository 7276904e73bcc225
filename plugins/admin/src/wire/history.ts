import type { Person } from "./account.js";

/** A version of a document, as `GET /admin/api/history/:uid/:id` of the plugin history lists it, the newest first. */
export interface VersionView {
  readonly id: string;
  readonly documentId: string;
  /** ISO 8601. */
  readonly at: string;
  readonly action: "baseline" | "create" | "update" | "publish" | "unpublish" | "discardDraft" | "delete" | "import";
  readonly status: "draft" | "published";
  /** Names of attributes; null: the version before is not kept. */
  readonly changed: readonly string[] | null;
  /** Id of the version whose values it got. */
  readonly restoredFrom: string | null;
  /** The administrator who wrote. */
  readonly who: Person | null;
  readonly origin?: { readonly transport: string; readonly actor?: { readonly kind: string } } | null;
}

/** `GET /admin/api/history/:uid/:id/:version`: with what is in it. */
export interface VersionContent extends VersionView {
  /** Relations and media as `{ documentId }`, with `__type` where they lead to several types. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly problems: readonly VersionProblem[];
}

/** Something of a version that the document cannot get back. */
export interface VersionProblem {
  /** With dots, items by their place: `sections.0.author`. */
  readonly path: string;
  /** The attribute is no more, is of another kind, or linked to a document that is no more. */
  readonly problem: "removed" | "changed" | "gone";
}

/** A document that was deleted, as `GET /admin/api/history/:uid?attributes=title` lists it. */
export interface DeletedView {
  /** Of its last version. */
  readonly id: string;
  readonly documentId: string;
  /** `""`: the type is not localised. */
  readonly locale: string;
  readonly at: string;
  readonly who: Person | null;
  readonly origin?: VersionView["origin"];
  readonly data: Readonly<Record<string, unknown>>;
}

/** What came of `POST /admin/api/history/:uid/:id/:version/restore`. */
export interface RestoredView {
  readonly documentId: string;
  readonly left: readonly {
    readonly attribute: string;
    readonly reason: VersionProblem["problem"] | "not writable" | "shared";
  }[];
}

import type { Person } from "./account.js";

/**
 * What was done with a document. `delete` is also sent to callers who may not see it any more: for them it is gone.
 * `import` stands for versions that an import or a restored archive stored.
 */
export type ChangeAction = "create" | "update" | "publish" | "unpublish" | "discardDraft" | "delete" | "import";

/** Event `change` of `GET /admin/api/events`: a document that was written, without what is in it. */
export interface DocumentChange {
  readonly uid: string;
  readonly documentId: string;
  /** null: the type is not localised. */
  readonly locale: string | null;
  readonly action: ChangeAction;
  /** The administrator who wrote; null: somebody or something else, or it is not told. */
  readonly who: Person | null;
  /** ISO 8601. */
  readonly at: string;
}

/** Event `people`: everybody who is at a document now, as far as the caller may see that. */
export interface PeopleAt {
  readonly uid: string;
  readonly documentId: string;
  readonly people: readonly PersonAt[];
}

/** Somebody at a document. */
export interface PersonAt extends Person {
  /** documentId of the account. */
  readonly account: string;
  /** Tells the tabs of one account apart. */
  readonly tab: string;
  /** null: the type is not localised. */
  readonly locale: string | null;
  /** The field that has the focus, by its path with the keys of stored items: `sections.i7.words`; null: none, or it is not told. */
  readonly field: string | null;
}

/** Event `hello`, the first one of a stream. */
export interface Hello {
  /** As in Boot: another one than the page has means that the content model has changed. */
  readonly modelVersion: string;
}

/** Where a tab is. */
export interface Presence {
  readonly uid: string;
  readonly documentId: string;
  readonly locale: string | null;
  readonly field: string | null;
}

/** Body of `POST /admin/api/presence`, which is sent again every 10 seconds; what is not is forgotten after 30. */
export interface PresenceRequest {
  readonly tab: string;
  /** null: the tab has left. */
  readonly at: Presence | null;
}

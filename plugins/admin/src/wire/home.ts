import type { Person } from "./account.js";
import type { DocumentState, RelatedEntry } from "./content.js";

/** A document that somebody else changed: `GET /admin/api/history/recent`, and without that plugin `GET /admin/api/home/changed`. */
export interface ChangedDocument extends RelatedEntry {
  /** ISO 8601. */
  readonly at: string;
  /** Null: no administrator, but a user, a token or code. */
  readonly by: Person | null;
}

/** One thing of `GET /admin/api/schedule/next`: a document, or a release. */
export interface NextPlan {
  readonly kind: "document" | "release";
  readonly action: "publish" | "unpublish" | "release";
  /** ISO 8601. */
  readonly at: string;
  readonly title: string;
  /** Of a document. */
  readonly document: PlannedDocument | null;
  /** Of a release: its id, and how many documents it has. */
  readonly release: { readonly id: number; readonly documents: number } | null;
}

/** The document of a plan. */
export interface PlannedDocument {
  readonly uid: string;
  readonly documentId: string;
  readonly locale: string | null;
  readonly state: DocumentState;
}

/** One thing of `GET /admin/api/schedule/failed`. */
export interface FailedPlan extends NextPlan {
  /** Why, of the first document. */
  readonly reason?: string;
}

/** One endpoint of `GET /admin/api/webhooks/failed`. */
export interface FailedWebhook {
  /** Of the endpoint. */
  readonly documentId: string;
  readonly name: string;
  /** ISO 8601: since when every try has failed; null: the last one succeeded. */
  readonly failingSince: string | null;
  readonly isDisabled: boolean;
  /** Deliveries of the last days that were given up; of many the latest are counted. */
  readonly dead: number;
  /** ISO 8601: when the last one was given up. */
  readonly at: string | null;
  readonly reason: string | null;
}

/** One queue of `GET /admin/api/jobs/failed`. */
export interface FailedJobs {
  /** Name of the job. */
  readonly name: string;
  /** Those that are dead; of many the latest are counted. */
  readonly dead: number;
  /** ISO 8601: of the last one. */
  readonly at: string;
  readonly reason: string | null;
}

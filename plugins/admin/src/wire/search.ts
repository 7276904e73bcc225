import type { RelatedEntry } from "./content.js";

/** `GET /admin/api/search?q=`: a document once, in the default locale where that has the text. */
export interface FoundDocuments {
  readonly data: readonly RelatedEntry[];
  readonly meta: {
    /** Whether there may be more: a type was not asked, or did not answer in time. */
    readonly isPartial: boolean;
  };
}

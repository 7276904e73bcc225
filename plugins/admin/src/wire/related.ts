/** What of a document was published. */
export type DocumentState = "draft" | "modified" | "published";

/** A document as something else names it. */
export interface RelatedEntry {
  readonly uid: string;
  readonly documentId: string;
  readonly id: number;
  readonly locale: string | null;
  readonly title: string;
  /** A second text that tells it from others of the same title. */
  readonly subtitle: string | null;
  /** Path of a small picture. */
  readonly picture: string | null;
  readonly state: DocumentState;
}

/** `GET /admin/api/content/:uid/:id/uses`: where a document is used. */
export interface UseList {
  /** `field` is the attribute, inside of components with their uid before it: `shared.seo#image`. */
  readonly data: readonly (RelatedEntry & { readonly field: string })[];
}

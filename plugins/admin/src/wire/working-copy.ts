/**
 * What somebody typed and did not save, kept by the server: one by account, document and locale. It is no draft: no hook
 * runs, nothing is checked, and no other account sees it.
 */
export interface WorkingCopy {
  /** ETag of the document that the changes are for, or its part that is the version; null: it is new. */
  readonly base: string | null;
  /** By path: `title`, `sections.k3.heading`. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Names the browser that wrote it. */
  readonly device: string;
  /** ISO 8601. */
  readonly savedAt: string;
}

/** One entry of `GET /admin/api/working-copies`, for the home screen. */
export interface WorkingCopyView {
  readonly uid: string;
  readonly documentId: string;
  readonly locale: string | null;
  readonly title: string;
  readonly savedAt: string;
}

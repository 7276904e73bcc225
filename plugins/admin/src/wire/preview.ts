/** Answer of `POST /admin/api/preview/:uid/:id?locale`. */
export interface PreviewPlace {
  /** The page of the front end that shows the document; the token may be in it. */
  readonly url: string;
  /** Reads this document's draft in this language, with what its administrator typed: `GET /api/preview/:uid/:documentId`. */
  readonly token: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** What the admin page tells the front end in its frame, by `postMessage`. */
export type PreviewNews =
  /** Something was saved, the draft or what was typed: read it again. */
  | { readonly type: "plinth:changed" }
  /** The token that is good from now on. */
  | { readonly type: "plinth:token"; readonly token: string; readonly expiresAt: string };

/** What the front end may tell the admin page. */
export interface PreviewFocus {
  readonly type: "plinth:focus";
  /** Of a field, names and indexes with dots between them: `title`, `seo.metaTitle`, `sections.0.words`. */
  readonly path: string;
}

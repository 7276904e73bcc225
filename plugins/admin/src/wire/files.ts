/** A file of the library, and how an entry's `media` attributes hold it. */
export interface FileView {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  /** As screen readers say it. */
  readonly alternativeText: string | null;
  readonly caption: string | null;
  readonly url: string;
  /** A small picture of it; null: it has none. */
  readonly thumbnail: string | null;
  /** `image/png`. */
  readonly mime: string;
  /** Bytes. */
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** `GET /admin/api/files?_q&cursor&types`: newest first. `types`: `images`, `videos`, `audios`, `files`, joined by commas. */
export interface FileList {
  readonly data: readonly FileView[];
  readonly meta: { readonly nextCursor: string | null };
}

/** `POST /admin/api/files`: multipart, each file in a field `files`. */
export interface UploadedFiles {
  readonly data: readonly FileView[];
}

/** `PUT /admin/api/files/:documentId`. */
export interface FileChanges {
  readonly name?: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
}

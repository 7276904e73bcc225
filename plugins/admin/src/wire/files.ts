import type { Person } from "./account.js";

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

/** Where in a picture that which matters is, in percent from its upper left corner. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

/** A file as the library shows it. */
export interface LibraryFile extends FileView {
  readonly focalPoint: FocalPoint | null;
  /** null: at the top, or in a folder that the caller does not see. */
  readonly folder: FolderName | null;
  /** ISO 8601. The url of a replaced file stays, and this does not. */
  readonly updatedAt: string;
  /** The administrator who uploaded it. */
  readonly createdBy: Person | null;
}

/** A folder by its name. */
export interface FolderName {
  readonly documentId: string;
  readonly name: string;
}

/**
 * `GET /admin/api/files?_q&folder&types&sort&cursor`, 60 a page. `folder`: the documentId of one, or `top` for files outside of
 * folders; without it files are listed wherever they are. `types`: `images`, `videos`, `audios`, `files`, joined by commas.
 * `sort`: `name:asc`; newest first by default.
 */
export interface FileList {
  readonly data: readonly LibraryFile[];
  readonly meta: { readonly pagination: { readonly pageSize: number; readonly nextCursor: string | null } };
}

/** What changes of one file answer. */
export interface OneFile {
  readonly data: LibraryFile;
}

/** `GET /admin/api/files/:documentId`, with what the caller may do with it. */
export interface FileDetails extends OneFile {
  readonly meta: { readonly may: readonly ("update" | "delete")[] };
}

/** `POST /admin/api/files`: multipart, each file in a field `files`, and a FileChanges as JSON in `fileInfo` for each. */
export interface UploadedFiles {
  readonly data: readonly LibraryFile[];
}

/** `PUT /admin/api/files/:documentId`. */
export interface FileChanges {
  readonly name?: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  readonly focalPoint?: FocalPoint | null;
  /** documentId of a folder; null: none. */
  readonly folder?: string | null;
}

/** `POST /admin/api/files/:documentId/cut`: a part of a picture becomes a file of its own. In pixels of the picture as it is seen. */
export interface CutRequest {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Of the new file; default: that of the picture. */
  readonly name?: string;
}

/** `POST /admin/api/files/actions/move`, `/delete` and `/uses`: about up to 100 files, all or none. */
export interface FilesRequest {
  readonly documentIds: readonly string[];
  /** Of `move`: documentId of a folder; null: none. */
  readonly folder?: string | null;
  /** Of `delete`: which of the files also where documents use them and the configuration refuses that; true: all. */
  readonly force?: boolean | readonly string[];
}

/** A folder of the library. */
export interface FolderView extends FolderName {
  readonly id: number;
  /** documentId; null: it lies at the top, or in one that the caller does not see. */
  readonly parent: string | null;
  /** How many files the caller finds in it, those of folders inside of it left out. */
  readonly files: number;
}

/** `GET /admin/api/folders`: all of them, by name; at most 10,000. */
export interface FolderList {
  readonly data: readonly FolderView[];
}

/** `POST /admin/api/folders` and `PUT /admin/api/folders/:documentId`, which answer `{ data: FolderView }`. */
export interface FolderChanges {
  readonly name?: string;
  /** documentId of a folder; null: the top. */
  readonly parent?: string | null;
}

import type { Readable } from "node:stream";
import {
  type Ability,
  type ActorUser,
  type App,
  type Author,
  type Document,
  type DocumentUse,
  type Handler,
  type ServiceRef,
  serviceRef,
} from "@plinth/core";

/** A file that is to be kept under a name of our choice. */
export interface FileToStore {
  /** `<hash><ext>`, such as `harbour_1f2e3d4c5b.png`: letters, digits, `_`, `-` and `.` only. */
  readonly key: string;
  /** Decided by content. */
  readonly mime: string;
  /** Bytes. */
  readonly size: number;
  /**
   * Whether nothing else will ever be stored under the key, as with the formats of pictures: caches may keep it without
   * asking. Files themselves can be replaced.
   */
  readonly isFinal?: boolean;
  /** Opens it from its start, as often as it is called. */
  stream(): Readable;
}

/** The stored form of a file, from its provider. */
export interface StoredFile {
  /** Absolute, or a path on this server: `/uploads/harbour_1f2e3d4c5b.png`. Without a signature. */
  readonly url: string;
  /** Data of the provider; stored in `provider_metadata` as JSON. */
  readonly metadata?: unknown;
}

/** Bytes of a file: `start` to `end`, both included and counted from 0; no `end` means to the last. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** A file in the storage, as `plinth upload check` lists it. */
export interface StorageEntry {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** When it was last written. */
  readonly modifiedAt: Date;
}

/** What a provider finds where it looks at its storage. */
export interface StorageState {
  /** Bytes for which there is room; undefined where that is not known. */
  readonly free?: number;
  /** What is not as it should be although files may be stored. */
  readonly problem?: string;
}

/**
 * The storage of files. A package that implements it exports a ProviderFactory as its default, and rejects keys that
 * `assertKey` rejects.
 */
export interface StorageProvider {
  /** The `provider` of its files: `local`. */
  readonly name: string;
  /** Keeps a file; replaces what has the key. When it fails, nothing is left under the key. */
  put(file: FileToStore): Promise<StoredFile>;
  /** Reads a file. @throws its own error when there is none */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Does nothing when there is no such file. */
  delete(key: string): Promise<void>;
  /** All files; `plinth upload check` needs it. */
  list?(): AsyncIterable<StorageEntry>;
  /** A temporary url, for providers whose urls are signed: `isUrlSigned` becomes true. */
  signUrl?(key: string): Promise<string>;
  /** Where browsers get its files from, where that is another server: `["https://files.example.com"]`. */
  origins?(): Promise<readonly string[]>;
  /** Answers `GET /uploads/:key`, for providers whose files this server serves itself. */
  readonly serve?: Handler;
  /**
   * Looks whether files can be stored, for the health check `storage`: every 15 seconds while the server runs, and by
   * `plinth doctor`.
   *
   * @throws its own error where they cannot
   */
  check?(): Promise<StorageState>;
  /** Frees what it holds, when the server stops. */
  close?(): Promise<void>;
}

/** What a provider is made with. */
export interface ProviderContext {
  readonly app: App;
  /** `providerOptions` of the plugin's configuration. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Makes a provider. @throws PLINTH_UPLOAD_CONFIG_INVALID (500) for options that cannot be */
export type ProviderFactory = (context: ProviderContext) => StorageProvider | Promise<StorageProvider>;

/** A file of a request, in its temporary directory. */
export interface ReceivedFile {
  /** Where it is on disk; its directory may be written to, and is removed after the request. */
  readonly path: string;
  /** The client's name: for display, never for a path. */
  readonly name: string;
  /** Bytes; never 0. */
  readonly size: number;
}

/** An image made from another one, beside it on disk. */
export interface Variant {
  /** `thumbnail`, or the breakpoint's name: `large`. */
  readonly name: string;
  readonly path: string;
  readonly ext: string;
  readonly mime: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Bytes. */
  readonly size: number;
}

/** The type of a received file, detected from its content. */
export interface Inspected {
  /** What is to be stored: the file as received, or one made from it beside it (metadata stripped, turned upright). */
  readonly path: string;
  /** Bytes of `path`. */
  readonly size: number;
  readonly mime: string;
  /** With its dot: `.png`; empty when the content has none. */
  readonly ext: string;
  /** Pixels, as seen (after EXIF orientation); undefined for what is not an image. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly isImage: boolean;
  readonly isAnimated: boolean;
  readonly variants: readonly Variant[];
}

/** Detects the types of files, rejects those that are not allowed, and makes the variants of images. */
export interface Inspector {
  /** @throws PLINTH_UPLOAD_TYPE_REFUSED, PLINTH_UPLOAD_IMAGE_TOO_LARGE, ... (400) */
  inspect(file: ReceivedFile): Promise<Inspected>;
}

/** The editable attributes of a file. Null clears. */
export interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  /** The focal point of an image, in percent from its upper left corner: `{ x: 50, y: 30 }`. */
  readonly focalPoint?: { readonly x: number; readonly y: number } | null;
  /** Row id or documentId of a folder; null is the top. */
  readonly folder?: number | string | null;
}

/** A media attribute of a document that files are to be put into. */
export interface LinkTarget {
  /** Uid of the document's content-type. */
  readonly ref: string;
  /** Row id, or documentId. */
  readonly refId: string;
  /** Name of the attribute. */
  readonly field: string;
}

/** A document that uses a file. */
export type FileUse = DocumentUse;

/** What goes with an upload. */
export interface UploadOptions {
  /** The n-th is about the n-th file. */
  readonly infos?: readonly FileInfo[];
  readonly target?: LinkTarget | undefined;
  /** Its rules hold for the files and for the change of the target. Default: everything. */
  readonly ability?: Ability;
  /** Who sends them, for `uploadedBy`. */
  readonly user?: ActorUser | undefined;
  /** The administrator who sends them, for `createdBy`. */
  readonly author?: Author | undefined;
  /** Once it is aborted nothing is kept; its reason is what the upload throws. */
  readonly signal?: AbortSignal;
}

/** For whom a file is changed. */
export interface ChangeOptions {
  /** The ability whose rules on `update` hold, and that limits the answer. Default: everything. */
  readonly ability?: Ability;
  /** The administrator who changes it, for `updatedBy`. */
  readonly author?: Author | undefined;
}

/** A file as the own endpoints of upload show it: every field, and `isUrlSigned`. */
export type FileView = Document;

/** How `delete` treats files that documents use. */
export interface DeleteOptions {
  /** True: even if documents use it, with any configuration. Of several files: the documentIds of those that it is true of. */
  readonly force?: boolean | readonly string[];
  /** The ability whose rules on `delete` hold, and that limits the answer. Default: everything. */
  readonly ability?: Ability;
  /** The administrator who deletes it, for hooks. */
  readonly author?: Author | undefined;
}

/** Row id of a file, or its documentId. */
export type FileKey = number | string;

/** The files of an app, for code that the server trusts. */
export interface Files {
  /**
   * Stores received files and inserts their rows; all or none.
   *
   * @throws PLINTH_UPLOAD_* (400), PLINTH_ACCESS_FORBIDDEN (403) for a file outside of the ability's rule on `create`
   */
  upload(files: readonly ReceivedFile[], options?: UploadOptions): Promise<readonly FileView[]>;
  /** Keeps a copy of a file of this machine; its name is that of the path unless the info says another. */
  add(path: string, info?: FileInfo): Promise<FileView>;
  /** Puts another content behind the url of a file; its hash stays. @throws PLINTH_UPLOAD_ENTITY_NOT_FOUND (404) */
  replace(id: FileKey, file: ReceivedFile, info?: FileInfo, options?: ChangeOptions): Promise<FileView>;
  /** @throws PLINTH_UPLOAD_ENTITY_NOT_FOUND (404), PLINTH_UPLOAD_INFO_INVALID (400) */
  updateInfo(id: FileKey, info: FileInfo, options?: ChangeOptions): Promise<FileView>;
  /** Undefined when there is none. */
  findOne(id: FileKey): Promise<FileView | undefined>;
  /**
   * Deletes a file and its formats; media that hold it become empty.
   *
   * @throws PLINTH_UPLOAD_NOT_FOUND (404), PLINTH_UPLOAD_IN_USE (409)
   */
  delete(id: FileKey, options?: DeleteOptions): Promise<FileView>;
  /** Deletes several files, all or none. @throws as `delete` */
  deleteMany(ids: readonly FileKey[], options?: DeleteOptions): Promise<void>;
  /** The documents that use a file. @throws PLINTH_UPLOAD_NOT_FOUND (404) */
  usesOf(id: FileKey): Promise<readonly FileUse[]>;
}

/** The service behind files. */
export const files: ServiceRef<Files> = serviceRef<Files>("plugin::upload.files");

/** The service that detects the types of files. */
export const inspector: ServiceRef<Inspector> = serviceRef<Inspector>("plugin::upload.inspector");

/** The storage of this app's files; available from the plugin's bootstrap on. */
export const storage: ServiceRef<StorageProvider> = serviceRef<StorageProvider>("plugin::upload.storage");

declare module "@plinth/core" {
  interface Services {
    "plugin::upload.files": Files;
    "plugin::upload.inspector": Inspector;
    "plugin::upload.storage": StorageProvider;
  }
}

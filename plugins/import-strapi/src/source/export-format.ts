import type { RawAttribute } from "@plinth/core/schema";

/** A line of `schemas/`: a content-type or a component, with the attributes that the server added. */
export interface ExportedSchema {
  readonly uid: string;
  readonly modelType: "contentType" | "component";
  readonly kind?: "collectionType" | "singleType";
  readonly collectionName?: string;
  readonly info?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly pluginOptions?: Readonly<Record<string, unknown>>;
  readonly attributes: Readonly<Record<string, RawAttribute>>;
}

/** A line of `entities/`: one row. Components are in it, relations and media are links. */
export interface ExportedEntry {
  readonly type: string;
  readonly id: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One end of a link. A component stands for itself: `shared.seo` and the id of the component. */
export interface ExportedEnd {
  readonly type: string;
  readonly ref: number | string;
  readonly field?: string;
  readonly pos?: number;
}

/** A line of `links/`. */
export interface ExportedLink {
  readonly kind: string;
  readonly relation: string;
  readonly left: ExportedEnd;
  readonly right: ExportedEnd;
}

/** A line of `configuration/`. */
export interface ExportedSetting {
  readonly type: string;
  readonly value: { readonly key?: string; readonly value?: unknown };
}

/** A file of `assets/uploads/`; to be read before the next one is asked for. */
export interface ExportedAsset {
  /** `<hash><ext>`. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  open(): AsyncIterable<Buffer>;
}

/** The folders of an export that hold JSON lines, and what a line is. */
export interface ExportedLines {
  readonly schemas: ExportedSchema;
  readonly entities: ExportedEntry;
  readonly links: ExportedLink;
  readonly configuration: ExportedSetting;
}

/** An export that can be read, as often as needed; nothing of it is kept in memory. */
export interface StrapiExport {
  /** What it was opened as, for messages. */
  readonly source: string;
  /** Version of the server that wrote it. */
  readonly version: string;
  /** Keys of the uploaded files whose bytes it has. */
  readonly keys: ReadonlySet<string>;
  /** @throws PLINTH_IMPORT_SOURCE_BROKEN, PLINTH_IMPORT_SOURCE_TOO_LARGE */
  lines<Folder extends keyof ExportedLines>(folder: Folder): AsyncIterable<ExportedLines[Folder]>;
  assets(): AsyncIterable<ExportedAsset>;
}

/** Uids of what the server itself brings and the import treats in its own way. */
export const STRAPI = {
  locale: "plugin::i18n.locale",
  file: "plugin::upload.file",
  folder: "plugin::upload.folder",
  role: "plugin::users-permissions.role",
  permission: "plugin::users-permissions.permission",
  user: "plugin::users-permissions.user",
  token: "admin::api-token",
  tokenPermission: "admin::api-token-permission",
} as const;

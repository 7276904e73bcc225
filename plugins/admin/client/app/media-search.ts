/** Groups of files, as `allowedTypes` of a media attribute has them. */
export const FILE_GROUPS = ["images", "videos", "audios", "files"] as const;

/** One of them. */
export type FileGroup = (typeof FILE_GROUPS)[number];

/** Orders of the library; the first one is the usual one. */
export const FILE_SORTS = ["id:desc", "id:asc", "name:asc", "name:desc", "size:desc", "updatedAt:desc"] as const;

/** One of them. */
export type FileSort = (typeof FILE_SORTS)[number];

/** What the address of the library says: all of its state. */
export interface MediaSearch {
  /** documentId; nothing: the top. */
  readonly folder?: string;
  /** Looks into all folders. */
  readonly q?: string;
  readonly type?: FileGroup;
  readonly sort?: FileSort;
  readonly view?: "grid" | "list";
  /** documentId of the file whose details are open. */
  readonly file?: string;
}

const ID = /^[a-z0-9]{1,64}$/i;

/** Reads the address of the library; what it does not understand is left out. */
export function parseMediaSearch({ folder, q, type, sort, view, file }: Record<string, unknown>): MediaSearch {
  const group = FILE_GROUPS.find((known) => known === type);
  const order = FILE_SORTS.find((known) => known === sort);
  return {
    ...(isId(folder) ? { folder } : {}),
    ...(typeof q === "string" && q !== "" ? { q } : {}),
    ...(group ? { type: group } : {}),
    ...(order ? { sort: order } : {}),
    ...(view === "grid" || view === "list" ? { view } : {}),
    ...(isId(file) ? { file } : {}),
  };
}

const isId = (value: unknown): value is string => typeof value === "string" && ID.test(value);

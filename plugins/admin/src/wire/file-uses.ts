import type { UseList } from "./related.js";

/** `GET /admin/api/files/:documentId/uses`: the documents that hold it, of those that the caller finds. */
export type FileUses = UseList;

/** `POST /admin/api/files/actions/uses`: the files of the request that documents use. */
export interface FilesUses {
  readonly data: readonly { readonly documentId: string; readonly uses: UseList["data"] }[];
}

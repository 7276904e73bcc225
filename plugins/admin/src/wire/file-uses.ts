import type { UseList } from "./related.js";

/** `GET /admin/api/files/:documentId/uses`: the documents that hold it, of those that the caller finds. */
export type FileUses = UseList;

/** Some of the documents that hold a file. */
export interface UsesOfFile {
  readonly uses: UseList["data"];
  /** Whether there are more. */
  readonly isCut: boolean;
}

/** `POST /admin/api/files/actions/uses`: every file of the request that documents use, each with at most 20 of a type. */
export interface FilesUses {
  readonly data: readonly ({ readonly documentId: string } & UsesOfFile)[];
}

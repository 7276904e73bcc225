import type { QueryClient } from "@tanstack/react-query";
import type {
  CutRequest,
  FileDetails,
  FileList,
  FilesRequest,
  FolderChanges,
  FolderList,
  FolderView,
  OneFile,
} from "../../../src/wire/files.js";
import type { FilesUses, FileUses } from "../../../src/wire/file-uses.js";
import { api } from "../../app/api.js";

/** Which files are asked for. */
export interface FilesQuestion {
  /** documentId, or `top`; nothing: wherever they are. */
  readonly folder: string | undefined;
  readonly text: string;
  /** None: all. */
  readonly types: readonly string[];
  readonly sort: string | undefined;
}

/** A page of files. */
export function findFiles({ folder, text, types, sort }: FilesQuestion, cursor: string | null, signal: AbortSignal) {
  const query = new URLSearchParams({
    ...(folder === undefined ? {} : { folder }),
    ...(text === "" ? {} : { _q: text }),
    ...(types.length === 0 ? {} : { types: types.join(",") }),
    ...(sort === undefined ? {} : { sort }),
    ...(cursor === null ? {} : { cursor }),
  });
  return api<FileList>(`/files?${query}`, { signal });
}

/** One file, and what may be done with it. */
export const getFile = (documentId: string, signal: AbortSignal) =>
  api<FileDetails>(`/files/${documentId}`, { signal });

/** The documents that hold a file. */
export const getUses = (documentId: string, signal: AbortSignal) =>
  api<FileUses>(`/files/${documentId}/uses`, { signal });

/** Those of several files that documents hold. */
export const getUsesOfMany = (documentIds: readonly string[], signal: AbortSignal) =>
  api<FilesUses>("/files/actions/uses", { method: "POST", body: { documentIds } satisfies FilesRequest, signal });

/** Puts files into a folder. */
export const moveFiles = (body: FilesRequest) => api("/files/actions/move", { method: "POST", body });

/** Deletes files. */
export const deleteFiles = (body: FilesRequest) => api("/files/actions/delete", { method: "POST", body });

/** Makes a file of a part of a picture. */
export const cutFile = (documentId: string, body: CutRequest) =>
  api<OneFile>(`/files/${documentId}/cut`, { method: "POST", body });

/** All folders. */
export const findFolders = (signal: AbortSignal) => api<FolderList>("/folders", { signal });

/** Makes a folder. */
export const createFolder = (body: FolderChanges) =>
  api<{ readonly data: FolderView }>("/folders", { method: "POST", body });

/** Renames or moves a folder. */
export const changeFolder = (documentId: string, body: FolderChanges) =>
  api<{ readonly data: FolderView }>(`/folders/${documentId}`, { method: "PUT", body });

/** Deletes a folder. */
export const deleteFolder = (documentId: string) => api(`/folders/${documentId}`, { method: "DELETE" });

/** Has files and folders read again: something of them was written. */
export async function forgetLibrary(queries: QueryClient): Promise<void> {
  await Promise.all(["files", "folders"].map((first) => queries.invalidateQueries({ queryKey: [first] })));
}

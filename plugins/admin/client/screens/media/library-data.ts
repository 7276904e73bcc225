import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { LibraryFile } from "../../../src/wire/files.js";
import type { MediaSearch } from "../../app/media-search.js";
import { mayDo, useSession } from "../../app/session.js";
import { FolderTree } from "./folder-tree.js";
import { findFiles, findFolders } from "./library-requests.js";

/** Uid of files and of their folders. */
export const FILE = "plugin::upload.file";
const FOLDER = "plugin::upload.folder";

const NO_FOLDERS = new FolderTree([]);

/** What the caller may do in the library. */
export function useMay() {
  const session = useSession();
  return {
    upload: mayDo(session, FILE, "create"),
    change: mayDo(session, FILE, "update"),
    remove: mayDo(session, FILE, "delete"),
    seeFolders: mayDo(session, FOLDER, "find"),
    makeFolders: mayDo(session, FOLDER, "create"),
    changeFolders: mayDo(session, FOLDER, "update"),
    removeFolders: mayDo(session, FOLDER, "delete"),
  };
}

/** All folders that the caller finds; `tree` is empty while they are not there. */
export function useFolders() {
  const { seeFolders } = useMay();
  const { data, error, isSuccess, refetch } = useQuery({
    queryKey: ["folders"],
    queryFn: ({ signal }) => findFolders(signal),
    enabled: seeFolders,
  });
  const tree = useMemo(() => (data ? new FolderTree(data.data) : NO_FOLDERS), [data]);
  return { tree, error, isReady: isSuccess || !seeFolders, refetch };
}

/**
 * Files of a place, page by page; those before stay until they are there. A search looks into all folders.
 *
 * @param types - the groups that a picker allows; none: all
 */
export function useFiles({ folder = "top", q = "", type, sort }: MediaSearch, types: readonly string[]) {
  const { seeFolders } = useMay();
  const question = {
    folder: q !== "" || !seeFolders ? undefined : folder,
    ...{ text: q, types: type ? [type] : types, sort },
  };
  const pages = useInfiniteQuery({
    queryKey: ["files", question],
    queryFn: ({ pageParam, signal }) => findFiles(question, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.pagination.nextCursor,
    placeholderData: keepPreviousData,
  });
  const files = useMemo<readonly LibraryFile[]>(
    () => pages.data?.pages.flatMap(({ data }) => data) ?? [],
    [pages.data],
  );
  return { ...pages, files };
}

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { EntryList } from "../../../src/wire/content.js";
import { api } from "../../app/api.js";
import { useSession } from "../../app/session.js";
import type { TitleOf } from "./filter-words.js";
import { titleOf } from "./row-title.js";

/** The greatest page of a list. */
const MOST = 100;

/** Titles of some documents of a type, which an address knows by their ids only; the id until they are read. */
export function useTitles(uid: string, documentIds: readonly string[]): TitleOf {
  const type = useSession().types.get(uid);
  const query = new URLSearchParams({ "fields[0]": type?.title ?? "documentId", "pagination[pageSize]": String(MOST) });
  for (const [index, id] of documentIds.slice(0, MOST).entries()) query.set(`filters[documentId][$in][${index}]`, id);
  const path = `/content/${uid}?${query}`;
  const { data } = useQuery({
    queryKey: ["content", uid, "titles", path],
    queryFn: ({ signal }) => api<EntryList>(path, { signal }),
    enabled: type !== undefined && documentIds.length > 0,
    placeholderData: keepPreviousData,
  });
  return (documentId) => {
    const row = data?.data.find((entry) => entry.documentId === documentId);
    return row && type ? titleOf(type, row) : documentId;
  };
}

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { FoundDocuments } from "../../../src/wire/search.js";
import { recentDocuments } from "../../screens/home/recent.js";
import { useRested } from "../../ui/use-rested.js";
import { api } from "../api.js";
import { useSession } from "../session.js";

/** How long typing rests before the server is asked, in milliseconds, and how much is needed. */
const REST = 200;
const MIN_LENGTH = 2;

/** Documents whose titles have what is typed. A request that is not wanted any more is cancelled. */
export function useFound(typed: string) {
  const { user } = useSession();
  const text = useRested(typed.trim(), REST);
  const first = [...new Set(recentDocuments(user.documentId).map(({ uid }) => uid))];
  const query = new URLSearchParams({ q: text, ...(first.length > 0 ? { types: first.join(",") } : {}) });
  const isAsked = text.length >= MIN_LENGTH;
  const found = useQuery({
    queryKey: ["search", text],
    queryFn: ({ signal }) => api<FoundDocuments>(`/search?${query}`, { signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
  const isWanted = typed.trim().length >= MIN_LENGTH;
  return {
    entries: isWanted ? (found.data?.data ?? []) : [],
    isPartial: isWanted && (found.data?.meta.isPartial ?? false),
    isWaiting: isWanted && (found.isFetching || text !== typed.trim()),
    error: isWanted ? found.error : null,
  };
}

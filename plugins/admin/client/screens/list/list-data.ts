import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { EntryCount, EntryList } from "../../../src/wire/content.js";
import type { TypeView } from "../../../src/wire/model.js";
import { api } from "../../app/api.js";
import { type ListSearch, queryOf } from "../../app/list-search.js";
import { useSession } from "../../app/session.js";
import { askedTree } from "./filter-condition.js";
import { attributesAt } from "./filter-fields.js";
import { preferredColumns } from "./preferred-columns.js";

/** Newest first: by the primary key, so that a first page of a million rows is read by an index. */
const NEWEST = "id:desc";

/** What asks for the first page, and that the answer says how to go on. */
const FIRST = "*";

/** Attributes that are columns, as the address, the reader or the schema says. */
export function useColumns(type: TypeView, search: ListSearch): readonly string[] {
  const { user } = useSession();
  const chosen = search.columns ?? preferredColumns(user.documentId, type.uid) ?? type.list;
  return chosen.filter((name) => type.attributes[name]);
}

/** How a page of rows is asked for. */
export interface RowsRequest {
  readonly path: string;
  readonly queryKey: readonly unknown[];
  /** The same for some documents only, on any page. */
  pathFor(documentIds: readonly string[]): string;
}

/** What the address asks for. */
export function useRowsRequest(type: TypeView, columns: readonly string[], search: ListSearch): RowsRequest {
  const asked = useAsked(type, search);
  const fields = { ...fieldsOf(type, columns), ...useFallback(type, search) };
  const path = `/content/${type.uid}?${queryOf({ sort: NEWEST, cursor: FIRST, ...asked }, fields)}`;
  const whole = `/content/${type.uid}?${queryOf({ ...asked, sort: NEWEST, cursor: FIRST, size: 100 }, fields)}`;
  return useMemo(
    () => ({
      path,
      queryKey: ["content", type.uid, "list", path],
      pathFor: (documentIds) => withDocuments(whole, documentIds),
    }),
    [type.uid, path, whole],
  );
}

/** Adds to what a list looks for that it is one of some documents. */
function withDocuments(path: string, documentIds: readonly string[]): string {
  const [address = "", text] = path.split("?");
  const query = new URLSearchParams();
  // What the address looks for is one condition, and this is the other one.
  for (const [key, value] of new URLSearchParams(text))
    query.append(key.startsWith("filters[") ? `filters[$and][0]${key.slice("filters".length)}` : key, value);
  for (const [index, id] of documentIds.entries()) query.append(`filters[$and][1][documentId][$in][${index}]`, id);
  return `${address}?${query}`;
}

/** The rows that the address asks for; those before stay until they are there. */
export function useRows({ path, queryKey }: RowsRequest) {
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => api<EntryList>(path, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Languages that stand in at most; the server takes no more. */
const MOST_FALLBACKS = 10;

/** A table of languages has documents that are missing in the one that is shown, too. */
function useFallback({ isLocalized }: TypeView, { as, locale }: ListSearch): Readonly<Record<string, string>> {
  const { locales } = useSession();
  if (as !== "languages" || !isLocalized) return {};
  const shown = locale ?? locales.find(({ isDefault }) => isDefault)?.code;
  const others = locales.map(({ code }) => code).filter((code) => code !== shown);
  return { fallbackLocale: others.slice(0, MOST_FALLBACKS).join(",") };
}

/** What is asked of the server: days that are counted from today are days. */
export function useAsked(type: TypeView, search: ListSearch): ListSearch {
  const session = useSession();
  if (!search.filters) return search;
  const filters = askedTree(search.filters, (names) => attributesAt(session, type, names).at(-1)?.kind);
  return { ...search, filters };
}

/** Names and links that are shown: nothing else is read. */
export function fieldsOf(type: TypeView, columns: readonly string[]): Readonly<Record<string, string>> {
  const names = [...new Set([type.title, ...columns])];
  return Object.fromEntries(names.map((name, index) => [`fields[${index}]`, name]));
}

/** How many rows there are: asked once the rows are there, so that no first row waits for it. */
export function useCount(
  type: TypeView,
  { cursor: _cursor, size: _size, sort: _sort, ...search }: ListSearch,
  isReady: boolean,
) {
  const path = `/content/${type.uid}/count?${queryOf(useAsked(type, search), useFallback(type, search))}`;
  return useQuery({
    queryKey: ["content", type.uid, "count", path],
    queryFn: ({ signal }) => api<EntryCount>(path, { signal }),
    enabled: isReady,
  });
}

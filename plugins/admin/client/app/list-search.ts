import { appendTree, type FilterTree, isTree } from "./filter-tree.js";

/** What the address of a list says: all of its state. */
export interface ListSearch {
  readonly q?: string;
  /** `title:asc`. */
  readonly sort?: string;
  readonly locale?: string;
  readonly filters?: FilterTree;
  /** Names of attributes; nothing: those of the schema. */
  readonly columns?: readonly string[];
  readonly size?: number;
  /** Of the page that is shown. */
  readonly cursor?: string;
  /** The saved view that it was made from; ALL: none, although there is one that the list opens with. */
  readonly view?: string;
  /** How the rows are shown; nothing: as a table of values. */
  readonly as?: "languages";
}

/** Stands for the list without a view. */
export const ALL = "all";

/** How many rows a page may have. */
export const PAGE_SIZES = [25, 50, 100] as const;
const SORT = /^[\w.]+:(?:asc|desc)$/;

/** Reads the address of a list; what it does not understand is left out. */
export function parseListSearch(search: Record<string, unknown>): ListSearch {
  const { q, sort, locale, filters, columns, size, cursor, view, as } = search;
  return {
    ...(typeof q === "string" && q !== "" ? { q } : {}),
    ...(typeof sort === "string" && SORT.test(sort) ? { sort } : {}),
    ...(typeof locale === "string" ? { locale } : {}),
    ...(isTree(filters) ? { filters } : {}),
    ...(isTexts(columns) && columns.length > 0 ? { columns } : {}),
    ...(PAGE_SIZES.some((known) => known === size) ? { size: Number(size) } : {}),
    ...(typeof cursor === "string" ? { cursor } : {}),
    ...(typeof view === "string" ? { view } : {}),
    ...(as === "languages" ? { as } : {}),
  };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** The query string that asks for what a list shows. @param extra - such as fields */
export function queryOf(search: ListSearch, extra: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(extra);
  if (search.q) query.set("_q", search.q);
  if (search.sort) query.set("sort", search.sort);
  if (search.locale) query.set("locale", search.locale);
  query.set("pagination[pageSize]", String(search.size ?? PAGE_SIZES[0]));
  if (search.cursor) query.set("pagination[cursor]", search.cursor);
  if (search.filters) appendTree(query, "filters", search.filters);
  return query.toString();
}

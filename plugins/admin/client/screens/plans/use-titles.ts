import { useQueries } from "@tanstack/react-query";
import type { EntryList } from "../../../src/wire/content.js";
import type { PlanPlace } from "../../../src/wire/plans.js";
import { api } from "../../app/api.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { titleOf } from "../list/row-title.js";

/** The greatest page of a list. */
const PAGE = 100;

/** What names a document; undefined where it is not there any more, or not for this account. Null: it is not read yet, or cannot be read now. */
export type TitleAt = (place: PlanPlace) => string | null | undefined;

interface Chunk {
  readonly type: string;
  readonly locale: string | null;
  readonly ids: readonly string[];
}

/** Titles of documents of several types and languages, in as few requests as there are types, languages and hundreds of them. */
export function useTitlesAt(places: readonly PlanPlace[]): TitleAt {
  const { types } = useSession();
  const chunks = chunksOf(places).filter(({ type }) => types.has(type));
  const results = useQueries({
    queries: chunks.map(({ type, locale, ids }) => {
      const title = types.get(type)?.title ?? "documentId";
      const query = new URLSearchParams({ "fields[0]": title, "pagination[pageSize]": String(PAGE) });
      if (locale !== null) query.set("locale", locale);
      for (const [index, id] of ids.entries()) query.set(`filters[documentId][$in][${index}]`, id);
      const path = `/content/${type}?${query}`;
      return { queryKey: ["content", type, "titles", path], queryFn: () => api<EntryList>(path) };
    }),
  });
  const known = new Map<string, string | null>();
  for (const [index, { type, locale, ids }] of chunks.entries()) {
    const { data } = results[index] ?? {};
    if (!data) for (const documentId of ids) known.set(keyOf({ type, locale, documentId }), null);
    for (const row of data?.data ?? []) {
      const view = types.get(type);
      if (view)
        known.set(keyOf({ type, locale, documentId: row.documentId }), labelOf(titleOf(view, row), row.documentId));
    }
  }
  return (place) => known.get(keyOf(place));
}

/** A document that has no title is not called by its id here: that says nothing to a reader. */
const labelOf = (title: string, documentId: string): string => (title === documentId ? t("edit.untitled") : title);

/** Tells places apart. */
export const keyOf = ({ type, documentId, locale }: PlanPlace): string => JSON.stringify([type, documentId, locale]);

function chunksOf(places: readonly PlanPlace[]): readonly Chunk[] {
  const groups = new Map<
    string,
    { readonly type: string; readonly locale: string | null; readonly ids: Set<string> }
  >();
  for (const { type, documentId, locale } of places) {
    const key = `${type} ${locale}`;
    const group = groups.get(key) ?? { type, locale, ids: new Set<string>() };
    group.ids.add(documentId);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ type, locale, ids }) => {
    const all = [...ids].sort();
    return Array.from({ length: Math.ceil(all.length / PAGE) }, (_, index) => ({
      ...{ type, locale },
      ids: all.slice(index * PAGE, (index + 1) * PAGE),
    }));
  });
}

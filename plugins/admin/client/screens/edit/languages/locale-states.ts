import { useQuery } from "@tanstack/react-query";
import type { DocumentState, EntryList } from "../../../../src/wire/content.js";
import { api } from "../../../app/api.js";
import type { OpenDocument } from "../open-document.js";
import { useDocumentState } from "../use-document.js";

/** The languages that a document is there in, each with its state; of one that is missing in this language too. */
export function useLocaleStates(opened: OpenDocument): ReadonlyMap<string, DocumentState> {
  const { entry } = useDocumentState(opened);
  const { type, id } = opened.place;
  const { data } = useQuery({
    queryKey: ["content", type.uid, "locales", id],
    queryFn: ({ signal }) => api<EntryList>(`/content/${type.uid}?${queryOf(id)}`, { signal }),
    enabled: !entry && type.isLocalized && id !== "new",
  });
  const facts = entry?._facts ?? data?.data[0]?._facts;
  return new Map(facts?.locales.map(({ locale, state }) => [locale, state]));
}

/** Any one row of a document knows of all. */
function queryOf(id: string): string {
  const one = id === "single" ? "" : `&filters[documentId][$eq]=${encodeURIComponent(id)}`;
  return `locale=*&pagination[pageSize]=1&fields[0]=documentId${one}`;
}

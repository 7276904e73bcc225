import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSession } from "../../../app/session.js";
import { FieldInput } from "../../../fields/field-input.js";
import type { FormPlace } from "../../../form/form-context.js";
import { flatten } from "../../../form/shape.js";
import { FormStore } from "../../../form/store.js";
import { readEntry } from "../entry-requests.js";
import type { OpenDocument } from "../open-document.js";

/** A document in another language, as a form that is only read. */
export interface OtherLanguage {
  readonly locale: string;
  readonly name: string;
  readonly form: FormPlace;
}

/** Reads the draft of a document in another language. @param locale - nothing: none is read */
export function useOtherLanguage(opened: OpenDocument, locale: string | undefined) {
  const session = useSession();
  const { type, id } = opened.place;
  const { data, error, refetch } = useQuery({
    queryKey: ["content", type.uid, "other", id, locale],
    queryFn: () => readEntry({ type, id, locale }),
    enabled: locale !== undefined,
    retry: false,
    staleTime: 0,
  });
  const other = useMemo((): OtherLanguage | undefined => {
    if (!data || locale === undefined) return undefined;
    const store = new FormStore(session, type.attributes, flatten(session, type.attributes, data.entry));
    const name = session.locales.find(({ code }) => code === locale)?.name ?? locale;
    const { documentId } = data.entry;
    const form = { store, uid: type.uid, documentId, ownId: id, locale, isReadOnly: true, Input: FieldInput };
    return { locale, name, form };
  }, [data, locale, session, type, id]);
  return { other, error, retry: () => void refetch() };
}

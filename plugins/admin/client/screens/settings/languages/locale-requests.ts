import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { LocaleList, LocaleView } from "../../../../src/wire/locales.js";
import { api } from "../../../app/api.js";
import { forgetLists } from "../../../app/forget-lists.js";
import { useRenewBoot } from "../../../app/session.js";

/** What a role has to be granted to change the languages of the content. */
export const LOCALES_ACTION = "plugin::admin.locales";

const PATH = "/admin/i18n/locales";
const KEY = ["locales"];

/** What is sent of a locale. */
export type LocaleChanges = Partial<Pick<LocaleView, "code" | "name" | "isDefault" | "fallback">>;

/** The languages of the content, in the order in which they were added. */
export const useLocales = () => useQuery({ queryKey: KEY, queryFn: ({ signal }) => api<LocaleList>(PATH, { signal }) });

/** Writes of locales; the whole page knows of them at once. */
export function useLocaleWrites() {
  const queries = useQueryClient();
  const renewBoot = useRenewBoot();
  const after = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    await Promise.all([queries.invalidateQueries({ queryKey: KEY }), renewBoot(), forgetLists(queries)]);
    return done;
  };
  return {
    create: (body: LocaleChanges) => after(api(PATH, { method: "POST", body })),
    update: (documentId: string, body: LocaleChanges) => after(api(`${PATH}/${documentId}`, { method: "PUT", body })),
    /** @param isForced - with what documents have in it */
    remove: (documentId: string, isForced: boolean) =>
      after(api(`${PATH}/${documentId}${isForced ? "?force=true" : ""}`, { method: "DELETE" })),
  };
}

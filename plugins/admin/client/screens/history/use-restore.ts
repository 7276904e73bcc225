import { useQueryClient } from "@tanstack/react-query";
import type { DeletedView, RestoredView } from "../../../src/wire/history.js";
import type { TypeView } from "../../../src/wire/model.js";
import { api } from "../../app/api.js";
import { useOpenEntry } from "../../app/entry-link.js";
import { forgetLists } from "../../app/forget-lists.js";
import { mayDo, useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { messageOf } from "../../ui/state.js";
import { sayDone, sayWrong } from "../../ui/toast.js";

/** Makes a document again of its last version: a draft, where the type has drafts. */
export type Restore = (document: DeletedView) => Promise<void>;

/** Undefined: the caller may make no documents of the type. */
export function useRestore(type: TypeView): Restore | undefined {
  const session = useSession();
  const queries = useQueryClient();
  const openEntry = useOpenEntry();
  const { uid, kind, hasDrafts } = type;
  const isSingle = kind === "singleType";
  if (!mayDo(session, uid, isSingle ? "update" : "create")) return undefined;
  return async ({ id, documentId, locale }) => {
    const search = locale === "" ? {} : { locale };
    try {
      const path = `/history/${uid}/${isSingle ? "single" : documentId}/${id}/restore`;
      await api<{ readonly data: RestoredView }>(`${path}?${new URLSearchParams(search)}`, {
        method: "POST",
        body: {},
      });
      await forgetLists(queries);
      sayDone(t(hasDrafts ? "deleted.done" : "deleted.doneLive"));
      await openEntry({ uid, id: documentId, search });
    } catch (error) {
      sayWrong(messageOf(error));
    }
  };
}

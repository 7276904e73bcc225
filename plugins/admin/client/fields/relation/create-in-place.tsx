import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import type { OneEntry, RelatedEntry } from "../../../src/wire/content.js";
import { ApiError, api } from "../../app/api.js";
import { forgetLists } from "../../app/forget-lists.js";
import { problemsOf } from "../../app/problems.js";
import { useSession } from "../../app/session.js";
import { changesOf } from "../../form/changes.js";
import { FormProvider, useForm } from "../../form/form-context.js";
import { newDocumentId } from "../../form/random-text.js";
import { initialLeaves } from "../../form/shape.js";
import { FormStore } from "../../form/store.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { QuestionDialog } from "../../ui/question-dialog.js";
import { Banner, messageOf } from "../../ui/state.js";
import { FieldGrid } from "../field-grid.js";

interface CreateInPlaceProps {
  readonly uid: string;
  readonly onClose: () => void;
  readonly onDone: (entry: RelatedEntry) => void;
}

/** Makes a document above the form that is to link it. */
export function CreateInPlace({ uid, onClose, onDone }: CreateInPlaceProps) {
  const session = useSession();
  const queries = useQueryClient();
  const { locale, Input } = useForm();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [madeId] = useState(newDocumentId);
  const type = session.types.get(uid);
  const store = useMemo(
    () =>
      new FormStore(session, type?.attributes ?? {}, {
        leaves: initialLeaves(session, type?.attributes ?? {}),
        totals: new Map(),
      }),
    [session, type],
  );
  const [isAsking, setAsking] = useState(false);
  const saveKey = useSaveKey();
  if (!type) return null;
  const own = type.isLocalized ? locale : undefined;
  const close = () => (store.changedPaths.size > 0 ? setAsking(true) : onClose());
  const save = async () => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      const query = own === undefined ? "" : `?locale=${own}`;
      const body = { data: changesOf(store), status: "draft", documentId: madeId };
      const { data } = await api<OneEntry>(`/content/${uid}${query}`, { method: "POST", body }).catch((failure) => {
        // It is there: only the answer was lost.
        if (failure instanceof ApiError && failure.status === 412)
          return api<OneEntry>(`/content/${uid}/${madeId}${query}`);
        throw failure;
      });
      void forgetLists(queries);
      const title = String(data[type.title] ?? data.documentId);
      const { documentId, id, locale: made, _facts } = data;
      onDone({ uid, documentId, id, locale: made, title, subtitle: null, picture: null, state: _facts.state });
    } catch (failure) {
      store.setProblems(problemsOf(failure));
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  saveKey.run.current = () => void save();
  return (
    <Dialog
      isOpen
      shape="drawer"
      title={t("relation.create", { type: type.label })}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button look="primary" disabled={isBusy} onClick={() => void save()}>
            {t("relation.createAndLink")}
          </Button>
        </>
      }
    >
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
      <div ref={saveKey.ref}>
        <FormProvider value={{ store, uid, documentId: null, ownId: undefined, locale: own, isReadOnly: false, Input }}>
          <FieldGrid layout={type.layout} attributes={type.attributes} path="" />
        </FormProvider>
      </div>
      {isAsking && (
        <QuestionDialog
          isDangerous
          title={t("relation.ask")}
          answer={t("relation.ask.discard")}
          cancel={t("relation.ask.keep")}
          onAnswer={onClose}
          onClose={() => setAsking(false)}
        >
          <p>{t("relation.ask.text")}</p>
        </QuestionDialog>
      )}
    </Dialog>
  );
}

/** Saves by Ctrl or Cmd with S what is made here, and not the document that it is made for. */
function useSaveKey() {
  const run = useRef<() => void>(undefined);
  // On the element itself: keys of a window above this one do not bubble to it.
  const ref = useCallback((form: HTMLDivElement | null) => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      if (!event.repeat) run.current?.();
    };
    form?.addEventListener("keydown", press);
    return () => form?.removeEventListener("keydown", press);
  }, []);
  return { ref, run };
}

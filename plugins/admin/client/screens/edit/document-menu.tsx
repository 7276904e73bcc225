import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Conflict } from "../../../src/wire/content.js";
import { useExtensionActions } from "../../app/extension-actions.js";
import { forgetLists } from "../../app/forget-lists.js";
import { mayDo, useSession } from "../../app/session.js";
import { formatDate } from "../../messages/formats.js";
import { type MessageKey, t } from "../../messages/text.js";
import { Dialog } from "../../ui/dialog.js";
import { Menu, type MenuEntry } from "../../ui/menu.js";
import { QuestionDialog } from "../../ui/question-dialog.js";
import { Banner } from "../../ui/state.js";
import { sayDone } from "../../ui/toast.js";
import { useAddToRelease } from "../plans/use-add-to-release.js";
import styles from "./edit.module.css";
import type { OpenDocument } from "./open-document.js";
import { useDocumentState } from "./use-document.js";

type Question = "unpublish" | "discard-draft" | "delete" | "delete-locale";

/** What is done with a document less often. */
export function DocumentMenu({ opened }: { readonly opened: OpenDocument }) {
  const session = useSession();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Question>();
  const [isJson, setJson] = useState(false);
  const { entry } = useDocumentState(opened);
  const { type } = opened.place;
  const { locale = null } = opened.place;
  const target = { uid: type.uid, documentIds: entry ? [entry.documentId] : [], locale };
  const extensionActions = useExtensionActions("document", target);
  const adding = useAddToRelease(
    type,
    target.documentIds.map((id) => ({ type: type.uid, documentId: id, locale })),
  );
  const may = (action: string) => mayDo(session, type.uid, action);
  const state = entry?._facts.state ?? "draft";
  const duplicate = async () => {
    const { entry: copy } = await opened.act("duplicate");
    if (!copy) return;
    void forgetLists(queries);
    sayDone(t("edit.duplicated"));
    await navigate({ to: "/content/$uid/$id", params: { uid: type.uid, id: copy.documentId } });
  };
  const copyLink = () => void navigator.clipboard.writeText(location.href).then(() => sayDone(t("edit.linkCopied")));
  const item = (id: string, icon: NonNullable<MenuEntry["icon"]>, run: () => void): MenuEntry => ({
    ...{ id, icon, run },
    label: t(`menu.${id}` as MessageKey),
  });
  return (
    <>
      <Menu
        label={t("menu.label")}
        groups={[
          [
            ...(type.kind === "collectionType" && may("create")
              ? [item("duplicate", "copy", () => void duplicate())]
              : []),
            item("link", "link", copyLink),
            item("json", "braces", () => setJson(true)),
          ],
          adding.isOffered ? [{ id: "release", label: t("release.add.button"), icon: "layers", run: adding.open }] : [],
          type.hasDrafts
            ? [
                ...(state === "modified" && may("discardDraft")
                  ? [item("discard", "undo-2", () => setAsked("discard-draft"))]
                  : []),
                ...(state !== "draft" && may("unpublish")
                  ? [item("unpublish", "eye-off", () => setAsked("unpublish"))]
                  : []),
              ]
            : [],
          extensionActions,
          may("delete")
            ? [
                ...(type.isLocalized
                  ? [{ ...item("deleteLocale", "trash-2", () => setAsked("delete-locale")), isDangerous: true }]
                  : []),
                { ...item("delete", "trash-2", () => setAsked("delete")), isDangerous: true },
              ]
            : [],
        ]}
      />
      {asked && <Ask opened={opened} question={asked} onClose={() => setAsked(undefined)} />}
      {adding.dialog}
      <Dialog isOpen={isJson} shape="wide" title={t("menu.json")} onClose={() => setJson(false)}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the dialog is scrolled by keys */}
        <pre className={styles.code} tabIndex={0}>
          {JSON.stringify(entry, undefined, 2)}
        </pre>
      </Dialog>
    </>
  );
}

interface AskProps {
  readonly opened: OpenDocument;
  readonly question: Question;
  readonly onClose: () => void;
}

function Ask({ opened, question, onClose }: AskProps) {
  const run = useAnswer(opened, question);
  const [isBusy, setBusy] = useState(false);
  /** What somebody else did meanwhile: it is asked again. */
  const [changed, setChanged] = useState<Conflict>();
  const answer = async () => {
    setBusy(true);
    const result = await run(changed?.version);
    setBusy(false);
    if (result) setChanged(result);
    else onClose();
  };
  return (
    <QuestionDialog
      title={t(`ask.${question}`)}
      answer={t(changed ? "ask.anyway" : `ask.${question}.do`)}
      isDangerous={question.startsWith("delete")}
      onAnswer={answer}
      {...{ isBusy, onClose }}
    >
      {changed && <Banner kind="warn">{changedText(changed)}</Banner>}
      <p>{t(`ask.${question}.text`)}</p>
    </QuestionDialog>
  );
}

const changedText = ({ changedBy, changedAt }: Conflict): string =>
  t("ask.changed", {
    name: changedBy?.name ?? t("conflict.somebody"),
    time: formatDate(new Date(changedAt), { timeStyle: "short" }),
  });

/** Does what was asked for. @returns what changed meanwhile */
function useAnswer(opened: OpenDocument, question: Question) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { type, locale } = opened.place;
  const isDelete = question === "delete" || question === "delete-locale";
  return async (version: string | undefined): Promise<Conflict | undefined> => {
    const { isDone = false, conflict } = isDelete
      ? await opened.remove(question === "delete" && type.isLocalized ? "*" : locale, version)
      : await opened.act(question, version);
    if (!isDone) return conflict;
    sayDone(t(isDelete ? "edit.deleted" : `edit.done.${question}`));
    void forgetLists(queries);
    if (isDelete)
      await navigate(type.kind === "singleType" ? { to: "/" } : { to: "/content/$uid", params: { uid: type.uid } });
    return undefined;
  };
}

import { lazy, Suspense, useState } from "react";
import type { TypeView } from "../../../src/wire/model.js";
import { useExtensionActions } from "../../app/extension-actions.js";
import { mayDo, useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Button, IconButton } from "../../ui/button.js";
import { useAddToRelease } from "../plans/use-add-to-release.js";
import { ConfirmBulk } from "./bulk-dialog.js";
import type { ListAction } from "./bulk-request.js";
import styles from "./list.module.css";
import { MAX_SELECTED, type Selection } from "./selection.js";

/** It needs the fields of forms. */
const SetValue = lazy(() => import("./set-value.js"));

interface SelectionBarProps {
  readonly type: TypeView;
  readonly locale: string | undefined;
  readonly selection: Selection;
}

/** What may be done with the selected documents: all of them, or none. */
export function SelectionBar({ type, locale, selection }: SelectionBarProps) {
  const session = useSession();
  const [asked, setAsked] = useState<ListAction>();
  const { titles, clear } = selection;
  const target = { uid: type.uid, locale, titles };
  const extensionActions = useExtensionActions("selection", {
    ...{ uid: type.uid, documentIds: [...titles.keys()], locale: locale ?? null },
  });
  const adding = useAddToRelease(type, placesOf(type, locale, titles), clear);
  const may = (action: string) => mayDo(session, type.uid, action);
  if (titles.size === 0) return null;
  const closing = { onClose: () => setAsked(undefined), onDone: clear };
  return (
    <div className={styles.selection} data-bottom-bar role="toolbar" aria-label={t("bulk.label")}>
      <span aria-live="polite">
        {t(titles.size === MAX_SELECTED ? "bulk.selectedMost" : "bulk.selected", { count: titles.size })}
      </span>
      {type.hasDrafts && may("publish") && <Button onClick={() => setAsked("publish")}>{t("action.publish")}</Button>}
      {type.hasDrafts && may("unpublish") && (
        <Button onClick={() => setAsked("unpublish")}>{t("action.unpublish")}</Button>
      )}
      {adding.isOffered && <Button onClick={adding.open}>{t("release.add.button")}</Button>}
      {may("update") && <Button onClick={() => setAsked("set")}>{t("bulk.set")}</Button>}
      {may("delete") && (
        <Button icon="trash-2" onClick={() => setAsked("delete")}>
          {t("action.delete")}
        </Button>
      )}
      {extensionActions.map(({ id, label, run }) => (
        <Button key={id} onClick={run}>
          {label}
        </Button>
      ))}
      <IconButton icon="x" label={t("bulk.clear")} onClick={clear} />
      {adding.dialog}
      {asked === "set" && (
        <Suspense>
          <SetValue type={type} target={target} {...closing} />
        </Suspense>
      )}
      {asked !== undefined && asked !== "set" && <ConfirmBulk target={target} action={asked} {...closing} />}
    </div>
  );
}

/** Where the selected documents are: in the language that the list shows. */
const placesOf = ({ uid, isLocalized }: TypeView, locale: string | undefined, titles: Selection["titles"]) =>
  [...titles.keys()].map((documentId) => ({
    ...{ type: uid, documentId },
    // Without one it is the default language.
    locale: isLocalized ? (locale ?? null) : null,
  }));

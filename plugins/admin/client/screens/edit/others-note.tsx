import { lazy, Suspense, useState } from "react";
import { loadPart } from "../../app/load-part.js";
import { formatDate } from "../../messages/formats.js";
import { language, t } from "../../messages/text.js";
import { Button, IconButton } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Banner } from "../../ui/state.js";
import styles from "./edit.module.css";
import type { OpenDocument } from "./open-document.js";
import type { News, Others } from "./others.js";
import { takeIn } from "./together.js";
import { useDocumentState } from "./use-document.js";

const Differences = lazy(() =>
  loadPart(() => import("../history/differences.js")).then(({ Differences: part }) => ({ default: part })),
);

/** Who did something, and when, for a sentence. */
export const newsWords = ({ name, at }: News): { readonly name: string; readonly time: string } => ({
  name: name ?? t("conflict.somebody"),
  time: formatDate(new Date(at), { timeStyle: "short" }),
});

/** Says what somebody else saved while the form is open: it is shown already, or can be taken in. */
export function OthersNote({ opened }: { readonly opened: OpenDocument }) {
  const { others } = useDocumentState(opened);
  const [isShown, setShown] = useState(false);
  if (!others) return null;
  const { state, labels, isPublication } = others;
  const words = { ...newsWords(others), fields: new Intl.ListFormat(language()).format(labels) };
  const dismiss = () => opened.note({ others: undefined });
  if (state === "shown")
    return (
      <Banner action={<IconButton isSmall icon="x" label={t("action.close")} onClick={dismiss} />}>
        {t(isPublication ? "others.published" : "others.shown", words)}
      </Banner>
    );
  const take = () => {
    setShown(false);
    takeIn(opened);
  };
  return (
    <>
      <Banner
        kind="warn"
        action={
          <div className={styles.actions}>
            <Button isSmall onClick={() => setShown(true)}>
              {t("others.show")}
            </Button>
            <Button isSmall onClick={take}>
              {t("others.take")}
            </Button>
          </div>
        }
      >
        {t("others.waiting", words)}
      </Banner>
      {isShown && <TheirChanges opened={opened} others={others} onTake={take} onClose={() => setShown(false)} />}
    </>
  );
}

interface TheirChangesProps {
  readonly opened: OpenDocument;
  readonly others: Others;
  readonly onTake: () => void;
  readonly onClose: () => void;
}

function TheirChanges({ opened, others, onTake, onClose }: TheirChangesProps) {
  const { met } = others;
  const { attributes, shapes } = opened.store;
  return (
    <Dialog
      isOpen
      shape="wide"
      title={t("others.changes", newsWords(others))}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("others.later")}</Button>
          <Button look="primary" onClick={onTake}>
            {t("others.take")}
          </Button>
        </>
      }
    >
      <p>{t("others.changes.text")}</p>
      <Suspense>
        <Differences shapes={shapes} attributes={attributes} from={met.base} to={met.stored.leaves} />
      </Suspense>
    </Dialog>
  );
}

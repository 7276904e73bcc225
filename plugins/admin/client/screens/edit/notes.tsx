import { useOpenEntry } from "../../app/entry-link.js";
import { formatDate } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Banner, messageOf } from "../../ui/state.js";
import type { OpenDocument } from "./open-document.js";
import { newsWords, OthersNote } from "./others-note.js";
import { ProblemList } from "./problem-list.js";
import { useDocumentState } from "./use-document.js";

/** What happened to the document beside this form, and what became of the last save; in each of its tabs. */
export function Notes({ opened }: { readonly opened: OpenDocument }) {
  const { restored, isGone, goneBy, work, error, problems } = useDocumentState(opened);
  const openEntry = useOpenEntry();
  const { type, locale } = opened.place;
  const recreate = async () => {
    const entry = await opened.recreate();
    const search = locale === undefined ? {} : { locale };
    if (entry) await openEntry({ uid: type.uid, id: entry.documentId, search });
  };
  return (
    <>
      {restored && (
        <Banner
          action={
            <Button isSmall onClick={() => void opened.revert()}>
              {t("edit.restored.discard")}
            </Button>
          }
        >
          {t(restored.isElsewhere ? "edit.restored.elsewhere" : "edit.restored", {
            time: formatDate(restored.at, { dateStyle: "medium", timeStyle: "short" }),
          })}
        </Banner>
      )}
      {isGone && (
        <Banner
          kind="wrong"
          action={
            <Button isSmall onClick={() => void recreate()}>
              {t("edit.gone.again")}
            </Button>
          }
        >
          {goneBy?.name ? t("others.gone", newsWords(goneBy)) : t("edit.gone")}
        </Banner>
      )}
      {!isGone && <OthersNote opened={opened} />}
      {work === "waiting" && <Banner kind="warn">{t("edit.waiting")}</Banner>}
      {error !== undefined && problems.length === 0 && <Banner kind="wrong">{messageOf(error)}</Banner>}
      {problems.length > 0 && <ProblemList problems={problems} opened={opened} />}
    </>
  );
}

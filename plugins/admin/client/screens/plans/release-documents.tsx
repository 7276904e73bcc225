import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { NewReleaseAction, ReleaseAction, ReleaseView } from "../../../src/wire/plans.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Button, IconButton } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Select } from "../../ui/field.js";
import { Icon } from "../../ui/icon.js";
import { Banner, messageOf } from "../../ui/state.js";
import { sayWrong } from "../../ui/toast.js";
import { DocumentLink, PlaceText } from "./document-link.js";
import { DocumentPicker } from "./document-picker.js";
import styles from "./plans.module.css";
import { plannedActions } from "./planned-actions.js";
import { amendRelease, PLANS_KEY, placeBody } from "./plans-api.js";
import { keyOf, type TitleAt, useTitlesAt } from "./use-titles.js";

interface ReleaseProps {
  readonly release: ReleaseView;
}

/** Whether the documents of a release can be changed. */
export const isIdle = ({ state }: ReleaseView): boolean => state === "open" || state === "failed";

/** What is in a release, and what is done with each. */
export function ReleaseDocuments({ release }: ReleaseProps) {
  const titleAt = useTitlesAt(release.actions);
  const [isPicking, setPicking] = useState(false);
  return (
    <section className={styles.card} aria-labelledby="release-documents">
      <div className={styles.bar}>
        <h2 id="release-documents">{t("release.count", { count: release.actions.length })}</h2>
        {isIdle(release) && (
          <Button isSmall icon="plus" onClick={() => setPicking(true)}>
            {t("release.pick")}
          </Button>
        )}
      </div>
      <ul className={styles.documents}>
        {release.actions.map((action) => (
          <Row key={keyOf(action)} release={release} action={action} titleAt={titleAt} />
        ))}
      </ul>
      {release.state === "scheduled" && <p className={styles.soft}>{t("release.locked")}</p>}
      {isPicking && <PickMore release={release} onClose={() => setPicking(false)} />}
    </section>
  );
}

interface RowProps extends ReleaseProps {
  readonly action: ReleaseAction;
  readonly titleAt: TitleAt;
}

function Row({ release, action, titleAt }: RowProps) {
  const session = useSession();
  const amend = useAmend(release);
  const known = titleAt(action);
  const title = known === undefined ? t("plan.gone") : (known ?? "…");
  const change = (next: NewReleaseAction["action"]) => amend({ add: [{ ...placeBody(action), action: next }] });
  const options = [...new Set([action.action, ...plannedActions(session, action.type)])];
  return (
    <li className={styles.document}>
      <div className={styles.grow}>
        <DocumentLink place={action} titleAt={titleAt} className={styles.strong} />{" "}
        <span className={styles.soft}>
          <PlaceText place={action} />
        </span>
        {action.problems.length > 0 && (
          <ul className={styles.problemLines}>
            {action.problems.map(({ path, message }) => (
              <li key={`${path.join(".")} ${message}`}>{[path.join(" › "), message].filter(Boolean).join(": ")}</li>
            ))}
          </ul>
        )}
      </div>
      {action.state !== "waiting" && (
        <span className={action.state === "done" ? styles.goodText : styles.badText}>
          <Icon name={action.state === "done" ? "circle-check" : "triangle-alert"} size={1} />
          {t(`release.document.${action.state}`)}
        </span>
      )}
      {isIdle(release) ? (
        <>
          <Select
            aria-label={t("release.actionOf", { title })}
            className={styles.actionSelect}
            value={action.action}
            onChange={({ target }) => void change(target.value as NewReleaseAction["action"])}
          >
            {options.map((each) => (
              <option key={each} value={each}>
                {t(`plan.verb.${each}`)}
              </option>
            ))}
          </Select>
          <IconButton
            isSmall
            icon="x"
            label={t("release.takeOut", { title })}
            onClick={() => void amend({ remove: [placeBody(action)] })}
          />
        </>
      ) : (
        <span className={styles.soft}>{t(`plan.verb.${action.action}`)}</span>
      )}
    </li>
  );
}

function useAmend({ id, actions }: ReleaseView) {
  const queries = useQueryClient();
  return async (body: Parameters<typeof amendRelease>[1]) => {
    if (body.remove && actions.length === 1) return sayWrong(t("release.last"));
    try {
      await amendRelease(id, body);
    } catch (error) {
      sayWrong(messageOf(error));
    }
    await queries.invalidateQueries({ queryKey: [PLANS_KEY] });
  };
}

function PickMore({ release, onClose }: ReleaseProps & { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [added, setAdded] = useState<readonly NewReleaseAction[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const add = async () => {
    if (added.length === 0) return onClose();
    setBusy(true);
    try {
      await amendRelease(release.id, { add: added });
      await queries.invalidateQueries({ queryKey: [PLANS_KEY] });
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      isOpen
      shape="wide"
      title={t("release.pick")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look="primary" isBusy={isBusy} onClick={() => void add()}>
            {t("release.add.do")}
          </Button>
        </>
      }
    >
      <DocumentPicker chosen={added} onChange={setAdded} />
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
    </Dialog>
  );
}

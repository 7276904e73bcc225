import type { ReactNode } from "react";
import { EntryLink } from "../../app/entry-link.js";
import { problemsOf } from "../../app/problems.js";
import { t } from "../../messages/text.js";
import { QuestionDialog } from "../../ui/question-dialog.js";
import { messageOf } from "../../ui/state.js";
import { type BulkRun, type BulkTarget, type ListAction, useBulk } from "./bulk-request.js";
import styles from "./list.module.css";

interface ConfirmBulkProps {
  readonly target: BulkTarget;
  readonly action: Exclude<ListAction, "set">;
  readonly onClose: () => void;
  /** Called before it is closed. */
  readonly onDone?: () => void;
}

/** Asks once more, and does it. */
export function ConfirmBulk({ target, action, onClose, onDone }: ConfirmBulkProps) {
  const bulk = useBulk(target, () => {
    onDone?.();
    onClose();
  });
  return (
    <BulkDialog
      {...{ target, bulk, onClose }}
      isDangerous={action === "delete"}
      title={t(`bulk.ask.${action}`, { count: target.titles.size })}
      actionText={t(`action.${action}`)}
      onRun={() => void bulk.run(action)}
    >
      <p>{t(`bulk.text.${action}`)}</p>
    </BulkDialog>
  );
}

interface BulkDialogProps {
  readonly target: BulkTarget;
  readonly bulk: BulkRun;
  readonly title: string;
  readonly actionText: string;
  readonly isDangerous?: boolean;
  readonly canRun?: boolean;
  readonly onRun: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A window for one action on several documents: it stays while the action runs, and shows what is wrong with which. */
export function BulkDialog(props: BulkDialogProps) {
  const { target, bulk, title, actionText, isDangerous = false, canRun = true, onRun, onClose, children } = props;
  const { isBusy, error } = bulk;
  return (
    <QuestionDialog answer={actionText} isReady={canRun} onAnswer={onRun} {...{ title, isDangerous, isBusy, onClose }}>
      {children}
      <div role="status">
        {isBusy && (
          <p className={styles.busy}>
            <progress aria-label={t("bulk.busy", { count: target.titles.size })} />
            {t("bulk.busy", { count: target.titles.size })}
          </p>
        )}
      </div>
      {error !== undefined && <Problems target={target} error={error} />}
    </QuestionDialog>
  );
}

function Problems({
  target: { uid, locale, titles },
  error,
}: {
  readonly target: BulkTarget;
  readonly error: unknown;
}) {
  const errors = problemsOf(error);
  const byDocument = Map.groupBy(errors, ({ documentId = "" }) => documentId);
  return (
    <div role="alert" className={styles.problems}>
      <p>{errors.length > 0 ? t("bulk.refused") : messageOf(error)}</p>
      <ul>
        {[...byDocument].map(([id, problems]) => (
          <li key={id}>
            <EntryLink uid={uid} id={id} search={locale === undefined ? {} : { locale }}>
              {titles.get(id) ?? id}
            </EntryLink>
            {": "}
            {problems.map(({ path, message }) => [path.join(" › "), message].filter(Boolean).join(": ")).join("; ")}
          </li>
        ))}
      </ul>
    </div>
  );
}

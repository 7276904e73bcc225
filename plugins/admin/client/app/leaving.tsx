import { useBlocker } from "@tanstack/react-router";
import { t } from "../messages/text.js";
import { QuestionDialog } from "../ui/question-dialog.js";

interface LeavingOptions {
  /** Whether other addresses of the same screen lose nothing. */
  readonly isWithin?: boolean;
  /** Whether it is being saved: the page may lead elsewhere then, and may not be closed. */
  readonly isBusy?: boolean;
}

/**
 * Stops before the page leads elsewhere, or is closed. A new address in place of the present one leads nowhere: a form that
 * was saved for the first time has one.
 *
 * @param isAsked - whether something would be lost now
 * @returns `status` is "blocked" while the reader has to answer: `proceed` leaves, `reset` stays
 */
export const useLeaving = (isAsked: () => boolean, { isWithin = false, isBusy = false }: LeavingOptions = {}) =>
  useBlocker({
    shouldBlockFn: ({ action, current, next }) =>
      action !== "REPLACE" && !isBusy && !(isWithin && current.pathname === next.pathname) && isAsked(),
    enableBeforeUnload: isAsked,
    withResolver: true,
  });

/** What would be lost. */
const TEXTS = {
  changes: { title: "settings.leave", text: "settings.leave.text", answer: "settings.discard" },
  uploads: { title: "upload.leave", text: "upload.leave.text", answer: "upload.leave.do" },
} as const;

interface LeavingProps extends LeavingOptions {
  readonly isAsked: boolean;
  /** Default: changes that are not saved. */
  readonly of?: keyof typeof TEXTS;
}

/** Asks before something is left behind. */
export function Leaving({ isAsked, of = "changes", ...options }: LeavingProps) {
  const leaving = useLeaving(() => isAsked, options);
  const { title, text, answer } = TEXTS[of];
  return (
    <QuestionDialog
      isOpen={leaving.status === "blocked"}
      isDangerous
      title={t(title)}
      answer={t(answer)}
      cancel={t("settings.stay")}
      onAnswer={() => leaving.proceed?.()}
      onClose={() => leaving.reset?.()}
    >
      <p>{t(text)}</p>
    </QuestionDialog>
  );
}

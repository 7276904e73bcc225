import type { ReactNode } from "react";
import { t } from "../messages/text.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Banner, messageOf } from "./state.js";

interface QuestionDialogProps {
  /** Default: true. A window that is there from the start gives the focus back to what it was opened from. */
  readonly isOpen?: boolean;
  readonly title: string;
  /** What the button says that does it. */
  readonly answer: string;
  readonly isDangerous?: boolean;
  /** What the button says that does nothing. Default: Cancel. */
  readonly cancel?: string;
  /** Whether it is being done: the window stays open meanwhile. */
  readonly isBusy?: boolean;
  /** Whether it can be done yet. Default: true. */
  readonly isReady?: boolean;
  /** Why it could not be done. */
  readonly error?: unknown;
  readonly onAnswer: () => unknown;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Asks before something is done. */
export function QuestionDialog({ title, answer, onAnswer, onClose, children, ...options }: QuestionDialogProps) {
  const { isOpen = true, isDangerous = false, isBusy = false, isReady = true, cancel, error } = options;
  return (
    <Dialog
      isOpen={isOpen}
      isAlert
      title={title}
      onClose={isBusy ? undefined : onClose}
      footer={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            {cancel ?? t("action.cancel")}
          </Button>
          <Button look={isDangerous ? "danger" : "primary"} isBusy={isBusy || !isReady} onClick={() => void onAnswer()}>
            {answer}
          </Button>
        </>
      }
    >
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
      {children}
    </Dialog>
  );
}

import { type ReactNode, useId, useState } from "react";
import { useSubmit } from "../../../app/use-submit.js";
import { t } from "../../../messages/text.js";
import { TextInput } from "../../../ui/field.js";
import { QuestionDialog } from "../../../ui/question-dialog.js";
import styles from "./settings.module.css";

interface ConfirmProps {
  readonly title: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  /** What has to be typed first, where nothing brings back what is lost. */
  readonly typed?: string;
  /** What it throws is shown. */
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Called when it has ended well; default: the window closes. */
  readonly onDone?: () => void;
  readonly children: ReactNode;
}

/** Asks once more, and does it. */
export function Confirm({ title, action, isDangerous = false, typed, run, onClose, children, ...rest }: ConfirmProps) {
  const { isBusy, error, submit } = useSubmit(async () => {
    await run();
    (rest.onDone ?? onClose)();
  });
  const [text, setText] = useState("");
  const id = useId();
  return (
    <QuestionDialog
      {...{ title, isDangerous, isBusy, error, onClose }}
      answer={action}
      isReady={typed === undefined || text.trim() === typed}
      onAnswer={submit}
    >
      {children}
      {typed !== undefined && (
        <label htmlFor={id} className={styles.labelled}>
          {t("settings.typeName", { name: typed })}
          <TextInput id={id} value={text} autoComplete="off" onChange={({ target }) => setText(target.value)} />
        </label>
      )}
    </QuestionDialog>
  );
}

import { type ReactNode, useId, useState } from "react";
import { t } from "../../../messages/text.js";
import { Button } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import { TextInput } from "../../../ui/field.js";
import { messageOf } from "../../../ui/state.js";
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
  const { isBusy, error, start } = useRun(run, rest.onDone ?? onClose);
  const [text, setText] = useState("");
  const id = useId();
  const isReady = typed === undefined || text.trim() === typed;
  return (
    <Dialog
      isOpen
      isAlert
      title={title}
      onClose={isBusy ? undefined : onClose}
      footer={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            {t("action.cancel")}
          </Button>
          <Button look={isDangerous ? "danger" : "primary"} isBusy={isBusy || !isReady} onClick={start}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <label htmlFor={id} className={styles.labelled}>
          {t("settings.typeName", { name: typed })}
          <TextInput id={id} value={text} autoComplete="off" onChange={({ target }) => setText(target.value)} />
        </label>
      )}
      {error !== undefined && (
        <p role="alert" className={styles.wrong}>
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}

/** Runs something once at a time, and keeps what went wrong. */
export function useRun(run: () => Promise<unknown>, onDone: () => void) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const start = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await run();
      onDone();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, start: () => void start() };
}

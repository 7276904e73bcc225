import { useBlocker } from "@tanstack/react-router";
import { t } from "../../../messages/text.js";
import { Button } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import styles from "./settings.module.css";

interface SaveBarProps {
  /** Whether something was changed and not saved. */
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  readonly label?: string;
  readonly onSave: () => void;
}

/** Saves what was changed, and asks before it is left behind. */
export function SaveBar({ isChanged, isBusy, label, onSave }: SaveBarProps) {
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged && !isBusy,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return (
    <div className={styles.foot}>
      <span role="status">{isChanged ? t("settings.unsaved") : ""}</span>
      <Button look="primary" isBusy={isBusy} onClick={onSave}>
        {label ?? t("action.save")}
      </Button>
      <Dialog
        isOpen={blocker.status === "blocked"}
        isAlert
        title={t("settings.leave")}
        onClose={() => blocker.reset?.()}
        footer={
          <>
            <Button onClick={() => blocker.reset?.()}>{t("settings.stay")}</Button>
            <Button look="danger" onClick={() => blocker.proceed?.()}>
              {t("settings.discard")}
            </Button>
          </>
        }
      >
        <p>{t("settings.leave.text")}</p>
      </Dialog>
    </div>
  );
}

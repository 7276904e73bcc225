import { Leaving } from "../../../app/leaving.js";
import { t } from "../../../messages/text.js";
import { Button } from "../../../ui/button.js";
import styles from "./settings.module.css";

interface SaveBarProps {
  /** Whether something was changed and not saved. */
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  /** Whether it cannot be saved as it is: it is asked for all the same before it is left behind. */
  readonly isBroken?: boolean;
  readonly label?: string;
  readonly onSave: () => unknown;
}

/** Saves what was changed, and asks before it is left behind. */
export function SaveBar({ isChanged, isBusy, isBroken = false, label, onSave }: SaveBarProps) {
  return (
    <div className={styles.foot} data-bottom-bar>
      <span role="status">{isChanged ? t("settings.unsaved") : ""}</span>
      <Button look="primary" isBusy={isBusy || isBroken} onClick={() => void onSave()}>
        {label ?? t("action.save")}
      </Button>
      <Leaving isAsked={isChanged} isBusy={isBusy} />
    </div>
  );
}

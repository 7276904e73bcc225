import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components";
import { t } from "../messages/text.js";
import { Button, IconButton } from "./button.js";
import { classNames } from "./class-names.js";
import styles from "./toast.module.css";

interface Message {
  readonly text: string;
  readonly isWrong: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

const MAX_VISIBLE = 3;
/** Milliseconds; what went wrong stays until it is closed. */
const LIFE = 6_000;
/** One that offers something is read first. */
const LIFE_WITH_ACTION = 12_000;

const queue = new ToastQueue<Message>({ maxVisibleToasts: MAX_VISIBLE });

/** Says that something was done. A screen reader says it too. */
export function sayDone(text: string, action?: Message["action"]): void {
  queue.add({ text, isWrong: false, ...(action ? { action } : {}) }, { timeout: action ? LIFE_WITH_ACTION : LIFE });
}

/** Takes back what messages offer: that of which they are is no longer on the screen. */
export function dropOffers(): void {
  for (const { key, content } of queue.visibleToasts) if (content.action) queue.close(key);
}

/** Says that something went wrong that has no place on the screen. */
export function sayWrong(text: string): void {
  queue.add({ text, isWrong: true });
}

/** Where messages appear. */
export function Toasts() {
  return (
    <ToastRegion queue={queue} className={styles.region ?? ""} aria-label={t("toast.region")}>
      {({ toast }) => (
        <Toast toast={toast} className={classNames(styles.toast, toast.content.isWrong && styles.wrong)}>
          <ToastContent className={styles.text ?? ""}>
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          {toast.content.action && (
            <Button
              isSmall
              look="quiet"
              onClick={() => {
                queue.close(toast.key);
                toast.content.action?.run();
              }}
            >
              {toast.content.action.label}
            </Button>
          )}
          <IconButton isSmall icon="x" label={t("action.close")} onClick={() => queue.close(toast.key)} />
        </Toast>
      )}
    </ToastRegion>
  );
}

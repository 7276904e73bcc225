import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import styles from "./list.module.css";
import type { LiveRows } from "./live-rows.js";

/** Offers to show what is new in the list. */
export function LiveBar({ live: { added, isOld, gone, refresh } }: { readonly live: LiveRows }) {
  if (added === 0 && gone.size === 0 && !isOld) return null;
  const text =
    added > 0 ? t("live.added", { count: added }) : isOld ? t("live.old") : t("live.gone", { count: gone.size });
  return (
    <div className={styles.live}>
      <Button isSmall icon="refresh-cw" onClick={refresh}>
        {text}
      </Button>
    </div>
  );
}

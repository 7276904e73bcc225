import { useSyncExternalStore } from "react";
import { formatDate } from "../messages/formats.js";
import { t } from "../messages/text.js";
import { Banner } from "../ui/state.js";
import styles from "./frame.module.css";

let since: Date | undefined = navigator.onLine ? undefined : new Date();
const listeners = new Set<() => void>();

function change(): void {
  since = navigator.onLine ? undefined : (since ?? new Date());
  for (const listener of listeners) listener();
}

addEventListener("online", change);
addEventListener("offline", change);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Since when there is no network; undefined while there is one. */
export const useOfflineSince = (): Date | undefined => useSyncExternalStore(subscribe, () => since);

/** Says that there is no network, and since when. */
export function OfflineBar() {
  const start = useOfflineSince();
  if (!start) return null;
  const time = formatDate(start, { hour: "2-digit", minute: "2-digit" });
  return (
    <div className={styles.offline}>
      <Banner kind="warn">{t("offline.bar", { time })}</Banner>
    </div>
  );
}

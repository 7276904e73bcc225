import { useSyncExternalStore } from "react";
import { t } from "../messages/text.js";
import { Button } from "../ui/button.js";
import { Banner } from "../ui/state.js";

let isOld = false;
const listeners = new Set<() => void>();

// A file of the page is gone though the server answers: it has a newer page, whose files have other names.
addEventListener("vite:preloadError", () => {
  void fetch(location.pathname, { method: "HEAD", headers: { Accept: "text/html" } }).then(
    ({ ok }) => {
      isOld ||= ok;
      for (const listener of listeners) listener();
    },
    () => undefined,
  );
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Asks to load the page again after a deployment. What is typed is in the journal. */
export function NewVersionBar() {
  const isShown = useSyncExternalStore(subscribe, () => isOld);
  if (!isShown) return null;
  return (
    <Banner
      kind="warn"
      action={
        <Button isSmall onClick={() => location.reload()}>
          {t("newVersion.reload")}
        </Button>
      }
    >
      {t("newVersion.text")}
    </Banner>
  );
}

import { useSyncExternalStore } from "react";
import { hasModelChanged, onModelChange } from "../live/live.js";
import { t } from "../messages/text.js";
import { Button } from "../ui/button.js";
import { Banner } from "../ui/state.js";

/** Asks to load the page again when the content model is another one: after a deployment, or while somebody develops. */
export function ModelChangedBar() {
  const isShown = useSyncExternalStore(onModelChange, hasModelChanged);
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
      {t("live.model")}
    </Banner>
  );
}

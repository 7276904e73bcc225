import { useBlocker } from "@tanstack/react-router";
import { t } from "../../../messages/text.js";
import { Button } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";

interface LeavingProps {
  /** Whether something was changed and not saved. */
  readonly isChanged: boolean;
  /** Whether it is being saved: then nothing is lost. */
  readonly isBusy: boolean;
}

/** Asks before changes are left behind. */
export function Leaving({ isChanged, isBusy }: LeavingProps) {
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged && !isBusy,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return (
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
  );
}

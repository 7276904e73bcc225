import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { useLeaving } from "./use-leaving.js";

/** Asks before the screen is left, or the page is closed, while files are being uploaded. Other folders are the same screen. */
export function LeaveUploads({ isBusy }: { readonly isBusy: boolean }) {
  const leaving = useLeaving(() => isBusy, { isWithin: true });
  return (
    <Dialog
      isOpen={leaving.status === "blocked"}
      isAlert
      title={t("upload.leave")}
      onClose={() => leaving.reset?.()}
      footer={
        <>
          <Button onClick={() => leaving.reset?.()}>{t("settings.stay")}</Button>
          <Button look="danger" onClick={() => leaving.proceed?.()}>
            {t("upload.leave.do")}
          </Button>
        </>
      }
    >
      <p>{t("upload.leave.text")}</p>
    </Dialog>
  );
}

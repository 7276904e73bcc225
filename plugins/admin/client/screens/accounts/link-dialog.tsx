import type { SentLink } from "../../../src/wire/accounts.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import { sayDone } from "../../ui/toast.js";

interface LinkDialogProps extends SentLink {
  readonly title: string;
  readonly email: string;
  readonly onClose: () => void;
}

/** A link that is shown this once, to be given to who it is for: only the button closes it. */
export function LinkDialog({ title, email, link, isSent, onClose }: LinkDialogProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(link ?? "");
    sayDone(t("link.copied"));
  };
  return (
    <Dialog
      title={title}
      isOpen
      isAlert={link !== null}
      onClose={link === null ? onClose : undefined}
      footer={
        <Button look="primary" onClick={onClose}>
          {t("action.close")}
        </Button>
      }
    >
      <p>{t(isSent ? "link.sent" : "link.give", { email })}</p>
      {link !== null && (
        <Field label={t("link.label")} hint={t("link.once")}>
          {(ids) => (
            <TextInput {...tiedTo(ids)} readOnly dir="ltr" value={link} onFocus={({ target }) => target.select()} />
          )}
        </Field>
      )}
      {link !== null && (
        <div>
          <Button icon="copy" onClick={() => void copy()}>
            {t("link.copy")}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

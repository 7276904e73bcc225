import { useState } from "react";
import type { FactorAdded, FactorOverview, PasskeyView } from "../../../src/wire/second-factor.js";
import { api } from "../../app/api.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Banner, messageOf } from "../../ui/state.js";
import { TextLine } from "../../ui/text-line.js";
import { useSubmit } from "../../app/use-submit.js";

interface RenamePasskeyProps {
  readonly passkey: PasskeyView;
  readonly onClose: () => void;
  readonly onDone: (factor: FactorOverview) => void;
}

/** Gives a passkey another name. */
export function RenamePasskey({ passkey, onClose, onDone }: RenamePasskeyProps) {
  const [name, setName] = useState(passkey.name);
  const { error, isBusy, submit } = useSubmit(async () => {
    const { secondFactor } = await api<FactorAdded>(`/account/passkeys/${passkey.id}`, {
      method: "PUT",
      body: { name },
    });
    onDone(secondFactor);
  });
  return (
    <Dialog title={t("passkey.rename")} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
        <TextLine label={t("passkey.name")} name="passkey" maxLength={100} autoFocus value={name} onChange={setName} />
        <Button look="primary" type="submit" isBusy={isBusy}>
          {t("action.save")}
        </Button>
      </form>
    </Dialog>
  );
}

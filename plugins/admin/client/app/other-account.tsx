import { useEffect, useState } from "react";
import { t } from "../messages/text.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { onOtherAccount, type OtherAccount } from "./api.js";
import { useSession } from "./session.js";

/** Stops a tab whose account is no longer the one of this browser: it would read and write as somebody else. */
export function OtherAccountNote() {
  const { user } = useSession();
  const [other, setOther] = useState<OtherAccount>();
  useEffect(() => onOtherAccount(setOther), []);
  return (
    <Dialog
      isOpen={other !== undefined}
      isAlert
      title={t("otherAccount.title", { name: other?.name ?? "" })}
      footer={
        <Button look="primary" onClick={() => location.reload()}>
          {t("otherAccount.reload")}
        </Button>
      }
    >
      <p>{t("otherAccount.text", { name: other === undefined ? "" : fullName(other), mine: user.name })}</p>
    </Dialog>
  );
}

/** Who gave no name is called by their address already. */
const fullName = ({ name, email }: OtherAccount): string => (name === email ? name : `${name} (${email})`);

import { useEffect, useState } from "react";
import type { FactorAdded } from "../../../src/wire/second-factor.js";
import { api, setConfirmation } from "../../app/api.js";
import { useConfirmed } from "../../app/confirmed.js";
import { hasPasskeys } from "../../app/passkeys.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { PasskeySetup } from "../account/passkey-setup.js";
import { RecoveryCodes } from "../account/recovery-codes.js";
import { TotpSetup } from "../account/totp-setup.js";
import styles from "./sign-in.module.css";

interface SetUpFormProps {
  /** Of the password that was given just now. */
  readonly confirmation: string | undefined;
  readonly onDone: () => void;
}

/** Sets up a second factor that a role asks for, before anything else is open. */
export function SetUpForm({ confirmation, onDone }: SetUpFormProps) {
  const [kind, setKind] = useState<"totp" | "passkey">();
  const [added, setAdded] = useState<FactorAdded>();
  const { run, dialog } = useConfirmed();
  useEffect(() => {
    if (confirmation !== undefined) setConfirmation(confirmation);
  }, [confirmation]);
  const signOut = async () => {
    await api("/session", { method: "DELETE" });
    location.assign("/admin/sign-in");
  };
  if (added?.recoveryCodes)
    return (
      <div className={styles.form}>
        <RecoveryCodes codes={added.recoveryCodes} />
        <Button look="primary" isWide onClick={onDone}>
          {t("setUp.done")}
        </Button>
      </div>
    );
  return (
    <div className={styles.form}>
      {dialog}
      {kind === "totp" && <TotpSetup run={run} onAdded={setAdded} onCancel={() => setKind(undefined)} />}
      {kind === "passkey" && <PasskeySetup run={run} onAdded={setAdded} />}
      {kind !== "passkey" && hasPasskeys() && (
        <Button icon="key" isWide onClick={() => setKind("passkey")}>
          {t("setUp.passkey")}
        </Button>
      )}
      {kind !== "totp" && (
        <Button icon="smartphone" isWide onClick={() => setKind("totp")}>
          {t("setUp.totp")}
        </Button>
      )}
      <Button look="quiet" isWide onClick={() => void signOut()}>
        {t("account.signOut")}
      </Button>
    </div>
  );
}

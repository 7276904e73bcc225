import { lazy, Suspense, useState } from "react";
import type { OwnAccount } from "../../../src/wire/accounts.js";
import type { FactorAdded, FactorOverview, PasskeyView } from "../../../src/wire/second-factor.js";
import { api } from "../../app/api.js";
import { type Confirming, useConfirmed } from "../../app/confirmed.js";
import { hasPasskeys } from "../../app/passkeys.js";
import { formatDate } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { messageOf } from "../../ui/state.js";
import { sayDone, sayWrong } from "../../ui/toast.js";
import styles from "./account.module.css";
import { PasskeySetup } from "./passkey-setup.js";
import { RecoveryCodes } from "./recovery-codes.js";
import { RenamePasskey } from "./rename-passkey.js";

/** The picture to scan is drawn by code that is needed once. */
const TotpSetup = lazy(async () => ({ default: (await import("./totp-setup.js")).TotpSetup }));

interface FactorSectionProps {
  readonly account: OwnAccount;
  readonly onChange: (factor: FactorOverview) => void;
}

/** What a window above the page does. */
type Open =
  | { readonly kind: "totp" | "passkey" }
  | { readonly kind: "codes"; readonly codes: readonly string[] }
  | { readonly kind: "rename"; readonly passkey: PasskeyView };

/** Authenticator app, passkeys and recovery codes of one's own account. */
export function FactorSection({ account, onChange }: FactorSectionProps) {
  const { secondFactor: factor } = account;
  const { run, dialog } = useConfirmed();
  const [open, setOpen] = useState<Open>();
  const take = ({ secondFactor, recoveryCodes }: FactorAdded, text: string) => {
    onChange(secondFactor);
    setOpen(recoveryCodes ? { kind: "codes", codes: recoveryCodes } : undefined);
    sayDone(text);
  };
  const change = async (path: string, method: "POST" | "DELETE", text: string) => {
    try {
      const done = await run(() => api<FactorAdded>(`/account/${path}`, { method }));
      if (done) take(done, text);
    } catch (error) {
      sayWrong(messageOf(error));
    }
  };
  const hasAny = factor.hasTotp || factor.passkeys.length > 0;
  return (
    <section className={styles.section} aria-labelledby="second-factor">
      <div className={styles.intro}>
        <h2 id="second-factor">{t("secondFactor.title")}</h2>
        <p>{t(factor.isRequired ? "secondFactor.required" : "secondFactor.text")}</p>
      </div>
      <ul className={styles.rows}>
        <li className={styles.row}>
          <Icon name="smartphone" />
          <span className={styles.what}>
            <strong>{t("totp.title")}</strong>
            <span>{t(factor.hasTotp ? "secondFactor.on" : "secondFactor.off")}</span>
          </span>
          {factor.hasTotp ? (
            <Button isSmall onClick={() => void change("totp", "DELETE", t("totp.removed"))}>
              {t("totp.remove")}
            </Button>
          ) : (
            <Button isSmall onClick={() => setOpen({ kind: "totp" })}>
              {t("totp.set")}
            </Button>
          )}
        </li>
        {factor.passkeys.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            onRename={() => setOpen({ kind: "rename", passkey })}
            onRemove={() =>
              void change(`passkeys/${passkey.id}`, "DELETE", t("passkey.removed", { name: passkey.name }))
            }
          />
        ))}
      </ul>
      <div className={styles.buttons}>
        {hasPasskeys() ? (
          <Button icon="key" onClick={() => setOpen({ kind: "passkey" })}>
            {t("passkey.new")}
          </Button>
        ) : (
          <p className={styles.soft}>{t("passkey.none")}</p>
        )}
        {hasAny && (
          <Button icon="refresh-cw" onClick={() => void change("recovery-codes", "POST", t("recovery.made"))}>
            {t("recovery.make", { count: factor.recoveryLeft })}
          </Button>
        )}
      </div>
      {open && <FactorDialog {...{ open, run, account, onChange, take }} onClose={() => setOpen(undefined)} />}
      {dialog}
    </section>
  );
}

interface PasskeyRowProps {
  readonly passkey: PasskeyView;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}

function PasskeyRow({ passkey: { name, site, createdAt, lastUsedAt }, onRename, onRemove }: PasskeyRowProps) {
  const day = (text: string) => formatDate(new Date(text), { dateStyle: "medium" });
  return (
    <li className={styles.row}>
      <Icon name="key" />
      <span className={styles.what}>
        <strong>{name}</strong>
        <span>
          {lastUsedAt
            ? t("passkey.used", { site, since: day(createdAt), last: day(lastUsedAt) })
            : t("passkey.unused", { site, since: day(createdAt) })}
        </span>
      </span>
      <Button isSmall aria-label={t("passkey.renameOf", { name })} onClick={onRename}>
        {t("passkey.rename")}
      </Button>
      <Button isSmall aria-label={t("passkey.removeOf", { name })} onClick={onRemove}>
        {t("totp.remove")}
      </Button>
    </li>
  );
}

interface FactorDialogProps extends FactorSectionProps {
  readonly open: Open;
  readonly run: Confirming["run"];
  readonly take: (added: FactorAdded, text: string) => void;
  readonly onClose: () => void;
}

function FactorDialog({ open, run, account, onChange, take, onClose }: FactorDialogProps) {
  switch (open.kind) {
    case "totp":
      return (
        <Dialog title={t("totp.title")} isOpen onClose={onClose}>
          <Suspense>
            <TotpSetup run={run} onAdded={(added) => take(added, t("totp.added"))} onCancel={onClose} />
          </Suspense>
        </Dialog>
      );
    case "passkey":
      return (
        <Dialog title={t("passkey.new")} isOpen onClose={onClose}>
          <PasskeySetup run={run} onAdded={(added) => take(added, t("passkey.added"))} />
        </Dialog>
      );
    case "rename":
      return (
        <RenamePasskey
          passkey={open.passkey}
          onClose={onClose}
          onDone={(factor) => {
            onChange(factor);
            onClose();
          }}
        />
      );
    case "codes":
      return (
        <Dialog
          title={t("recovery.title")}
          isOpen
          isAlert
          footer={
            <Button look="primary" onClick={onClose}>
              {t("recovery.kept")}
            </Button>
          }
        >
          <RecoveryCodes codes={open.codes} email={account.email} />
        </Dialog>
      );
  }
}

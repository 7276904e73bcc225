import { useEffect, useMemo, useState } from "react";
import { renderSVG } from "uqr";
import type { FactorAdded, NewTotp } from "../../../src/wire/second-factor.js";
import { api } from "../../app/api.js";
import type { Confirming } from "../../app/confirmed.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Banner, Bone, messageOf } from "../../ui/state.js";
import { TextLine } from "../../ui/text-line.js";
import { problemsAt } from "../../app/problems.js";
import { useSubmit } from "../../app/use-submit.js";
import styles from "./account.module.css";

interface TotpSetupProps {
  readonly run: Confirming["run"];
  readonly onAdded: (added: FactorAdded) => void;
  /** The password was asked for, and not given. */
  readonly onCancel: () => void;
}

const GROUP = /.{1,4}/g;

/** Adds an authenticator app: a picture to scan, or a secret to type, and the first code as proof. */
export function TotpSetup({ run, onAdded, onCancel }: TotpSetupProps) {
  const [pending, setPending] = useState<NewTotp>();
  const [code, setCode] = useState("");
  const start = useSubmit(async () => {
    const made = await run(() => api<NewTotp>("/account/totp", { method: "POST" }));
    if (made) setPending(made);
    else onCancel();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a secret is made once, when this is shown
  useEffect(() => void start.submit(), []);
  const { error, isBusy, submit } = useSubmit(async () => {
    const body = { ticket: pending?.ticket, code };
    const added = await run(() => api<FactorAdded>("/account/totp", { method: "PUT", body }));
    if (added) onAdded(added);
  });
  if (start.error !== undefined) return <Banner kind="wrong">{messageOf(start.error)}</Banner>;
  if (!pending) return <Bone height="14rem" />;
  const wrong = problemsAt(error, "code").length > 0;
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t("totp.scan")}</p>
      <Picture uri={pending.uri} />
      <p className={styles.secret}>
        {t("totp.type")}
        <code dir="ltr">{pending.secret.match(GROUP)?.join(" ")}</code>
      </p>
      {error !== undefined && !wrong && <Banner kind="wrong">{messageOf(error)}</Banner>}
      <TextLine
        label={t("secondFactor.totp.label")}
        name="totp"
        autoComplete="one-time-code"
        hint={t("totp.first")}
        problems={wrong ? [t("secondFactor.wrong")] : []}
        value={code}
        onChange={setCode}
      />
      <Button look="primary" type="submit" isBusy={isBusy}>
        {t("totp.add")}
      </Button>
    </form>
  );
}

function Picture({ uri }: { readonly uri: string }) {
  const source = useMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(uri))}`, [uri]);
  return <img className={styles.picture} src={source} alt={t("totp.picture")} width={192} height={192} />;
}

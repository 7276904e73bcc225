import { useState } from "react";
import type { SignedIn } from "../../../src/wire/account.js";
import type { FactorKind } from "../../../src/wire/second-factor.js";
import { ApiError, api } from "../../app/api.js";
import { hasPasskeys, isCancelled, signInByPasskey } from "../../app/passkeys.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Banner, messageOf } from "../../ui/state.js";
import { TextLine } from "../../ui/text-line.js";
import styles from "./sign-in.module.css";
import { useSubmit } from "../../app/use-submit.js";

interface SecondFactorFormProps {
  /** What the account has. */
  readonly kinds: readonly FactorKind[];
  readonly stay: boolean;
  readonly onDone: (signedIn: SignedIn) => void;
  /** Begins anew: the first half has ended. */
  readonly onRestart: () => void;
}

/** The second half of signing in: a code, a passkey, or a recovery code. */
export function SecondFactorForm({ kinds, stay, onDone, onRestart }: SecondFactorFormProps) {
  const usable = kinds.filter((kind) => kind !== "passkey" || hasPasskeys());
  const [kind, setKind] = useState<FactorKind>(usable[0] ?? "recovery");
  const [code, setCode] = useState("");
  const { error, isBusy, submit, forget } = useSubmit(async () => {
    if (kind === "passkey") return onDone(await signInByPasskey(stay));
    setCode("");
    onDone(await api<SignedIn>("/session/second-factor", { method: "POST", body: { [kind]: code } }));
  });
  const choose = (next: FactorKind) => {
    forget();
    setCode("");
    setKind(next);
  };
  const hasEnded = error instanceof ApiError && error.code === "PLINTH_ADMIN_TICKET_INVALID";
  return (
    <form className={styles.form} onSubmit={submit}>
      <p>{t(`secondFactor.${kind}.text`)}</p>
      {error !== undefined && <Banner kind="wrong">{problemOf(error)}</Banner>}
      {kind !== "passkey" && (
        <TextLine
          key={kind}
          label={t(`secondFactor.${kind}.label`)}
          name={kind}
          autoComplete={kind === "totp" ? "one-time-code" : "off"}
          autoFocus
          value={code}
          onChange={setCode}
        />
      )}
      <Button look="primary" type="submit" isWide isBusy={isBusy} icon={kind === "passkey" ? "key" : undefined}>
        {kind === "passkey" ? t("passkey.use") : t("signIn.submit")}
      </Button>
      {usable
        .filter((other) => other !== kind)
        .map((other) => (
          <Button key={other} look="quiet" onClick={() => choose(other)}>
            {t(`secondFactor.${other}.instead`)}
          </Button>
        ))}
      {hasEnded && (
        <Button look="plain" onClick={onRestart}>
          {t("secondFactor.restart")}
        </Button>
      )}
    </form>
  );
}

function problemOf(error: unknown): string {
  if (isCancelled(error)) return t("passkey.cancelled");
  return error instanceof ApiError && error.status === 401 ? t("secondFactor.wrong") : messageOf(error);
}

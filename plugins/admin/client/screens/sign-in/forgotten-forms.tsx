import { useState } from "react";
import { api } from "../../app/api.js";
import { t } from "../../messages/text.js";
import { Button, buttonClass } from "../../ui/button.js";
import { Banner, messageOf } from "../../ui/state.js";
import { TextLine } from "../../ui/text-line.js";
import { BackToSignIn } from "./back-to-sign-in.js";
import { NewPassword } from "./new-password.js";
import { problemsAt } from "../../app/problems.js";
import styles from "./sign-in.module.css";
import { useSubmit } from "../../app/use-submit.js";

/** Where signing in begins. */
const SIGN_IN = "/admin/sign-in";

/** Asks for a link for a new password. The answer is the same for everybody. */
export function ForgotForm() {
  const [email, setEmail] = useState("");
  const [isSent, setSent] = useState(false);
  const { error, isBusy, submit } = useSubmit(async () => {
    await api("/password/forgot", { method: "POST", body: { email } });
    setSent(true);
  });
  if (isSent)
    return (
      <div className={styles.form}>
        <Banner>{t("forgotten.sent", { email })}</Banner>
        <BackToSignIn />
      </div>
    );
  return (
    <form className={styles.form} onSubmit={submit}>
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
      <TextLine
        label={t("account.email")}
        name="email"
        type="email"
        autoComplete="username"
        autoFocus
        value={email}
        onChange={setEmail}
      />
      <Button look="primary" type="submit" isWide isBusy={isBusy}>
        {t("forgotten.submit")}
      </Button>
      <BackToSignIn />
    </form>
  );
}

/** Chooses a new password by a link. */
export function ResetForm({ code, passwordLength }: { readonly code: string; readonly passwordLength: number }) {
  const [password, setPassword] = useState("");
  const [isDone, setDone] = useState(false);
  const { error, isBusy, submit } = useSubmit(async () => {
    await api("/password/reset", { method: "POST", body: { code, password } });
    setDone(true);
  });
  if (isDone)
    return (
      <div className={styles.form}>
        <Banner>{t("reset.done")}</Banner>
        <a className={buttonClass({ look: "primary", isWide: true })} href={SIGN_IN}>
          {t("signIn.submit")}
        </a>
      </div>
    );
  return (
    <form className={styles.form} onSubmit={submit}>
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
      <NewPassword
        minLength={passwordLength}
        problems={problemsAt(error, "password")}
        value={password}
        onChange={setPassword}
      />
      <Button look="primary" type="submit" isWide isBusy={isBusy}>
        {t("reset.submit")}
      </Button>
    </form>
  );
}

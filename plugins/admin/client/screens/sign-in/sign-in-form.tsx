import { lazy, Suspense, useState } from "react";
import type { SignedIn } from "../../../src/wire/account.js";
import type { FactorKind, SignInAnswer } from "../../../src/wire/second-factor.js";
import { ApiError, api } from "../../app/api.js";
import { hasPasskeys, isCancelled, signInByPasskey } from "../../app/passkeys.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Banner, messageOf } from "../../ui/state.js";
import { TextLine } from "../../ui/text-line.js";
import { PasswordInput } from "./password-input.js";
import styles from "./sign-in.module.css";
import { useSubmit } from "../../app/use-submit.js";

/** Most sign-ins need no more than a password. */
const SecondFactorForm = lazy(async () => ({ default: (await import("./second-factor-form.js")).SecondFactorForm }));

interface SignInFormProps {
  /** The account that signs in again: its address is not asked. */
  readonly email?: string;
  readonly onDone: (signedIn: SignedIn) => void;
}

/** E-mail address and password, or a passkey; then the second factor, where there is one. */
export function SignInForm({ email: known = "", onDone }: SignInFormProps) {
  const [values, setValues] = useState({ email: known, password: "", stay: false });
  const [kinds, setKinds] = useState<readonly FactorKind[]>();
  const byPassword = useSubmit(async () => {
    const answer = await api<SignInAnswer>("/session", { method: "POST", body: values });
    if ("user" in answer) onDone(answer);
    else setKinds(answer.secondFactor);
  });
  const byPasskey = useSubmit(async () => onDone(await signInByPasskey(values.stay)));
  if (kinds)
    return (
      <Suspense>
        <SecondFactorForm kinds={kinds} stay={values.stay} onDone={onDone} onRestart={() => setKinds(undefined)} />
      </Suspense>
    );
  const problem = problemOf(byPassword.error) ?? problemOfPasskey(byPasskey.error);
  return (
    <form className={styles.form} onSubmit={byPassword.submit}>
      {problem && <Banner kind="wrong">{problem}</Banner>}
      <TextLine
        label={t("account.email")}
        name="email"
        type="email"
        autoComplete="username"
        autoFocus={known === ""}
        isReadOnly={known !== ""}
        value={values.email}
        onChange={(email) => setValues({ ...values, email })}
      />
      <PasswordInput
        label={t("account.password")}
        autoComplete="current-password"
        value={values.password}
        onChange={(password) => setValues({ ...values, password })}
      />
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={values.stay}
          onChange={(event) => setValues({ ...values, stay: event.target.checked })}
        />
        {t("signIn.stay")}
      </label>
      <Button look="primary" type="submit" isWide isBusy={byPassword.isBusy}>
        {byPassword.isBusy ? t("signIn.busy") : t("signIn.submit")}
      </Button>
      {hasPasskeys() && (
        <Button icon="key" isWide isBusy={byPasskey.isBusy} onClick={() => void byPasskey.submit()}>
          {t("passkey.signIn")}
        </Button>
      )}
    </form>
  );
}

function problemOf(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  if (!(error instanceof ApiError)) return messageOf(error);
  if (error.isOffline) return t("error.offline");
  return error.status === 401 ? t("signIn.refused") : error.message;
}

function problemOfPasskey(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  if (isCancelled(error)) return t("passkey.cancelled");
  return error instanceof ApiError && error.status === 401 ? t("passkey.unknown") : messageOf(error);
}

import { type FormEvent, useState } from "react";
import type { SignedIn } from "../../../src/wire/account.js";
import { ApiError, api } from "../../app/api.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import { Banner, messageOf } from "../../ui/state.js";
import { PasswordInput } from "./password-input.js";
import styles from "./sign-in.module.css";

interface SignInFormProps {
  /** The account that signs in again: its address is not asked. */
  readonly email?: string;
  readonly onDone: (signedIn: SignedIn) => void;
}

/** E-mail address and password. */
export function SignInForm({ email: known = "", onDone }: SignInFormProps) {
  const [values, setValues] = useState({ email: known, password: "", stay: false });
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      onDone(await api<SignedIn>("/session", { method: "POST", body: values }));
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {problem && <Banner kind="wrong">{problem}</Banner>}
      <Field label={t("account.email")}>
        {(ids) => (
          <TextInput
            {...tiedTo(ids)}
            name="email"
            type="email"
            autoComplete="username"
            autoFocus={known === ""}
            readOnly={known !== ""}
            required
            value={values.email}
            onChange={(event) => setValues({ ...values, email: event.target.value })}
          />
        )}
      </Field>
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
      <Button look="primary" type="submit" isWide disabled={isBusy}>
        {isBusy ? t("signIn.busy") : t("signIn.submit")}
      </Button>
    </form>
  );
}

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error);
  if (error.isOffline) return t("error.offline");
  return error.status === 401 ? t("signIn.refused") : error.message;
}

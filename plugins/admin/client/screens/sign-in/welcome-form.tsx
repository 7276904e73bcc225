import { useState } from "react";
import type { SignedIn } from "../../../src/wire/account.js";
import { api } from "../../app/api.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Banner, messageOf } from "../../ui/state.js";
import { TextLine } from "../../ui/text-line.js";
import { NewPassword } from "./new-password.js";
import { problemsAt } from "../../app/problems.js";
import styles from "./sign-in.module.css";
import { useSubmit } from "../../app/use-submit.js";

interface WelcomeFormProps {
  /** From the link that the start printed. */
  readonly code: string;
  readonly passwordLength: number;
  readonly onDone: (signedIn: SignedIn) => void;
}

/** Makes the first administrator. */
export function WelcomeForm({ code, passwordLength, onDone }: WelcomeFormProps) {
  const [values, setValues] = useState({ name: "", email: "", password: "" });
  const { error, isBusy, submit } = useSubmit(async () =>
    onDone(await api<SignedIn>("/welcome", { method: "POST", body: { code, ...values } })),
  );
  const input = (name: "name" | "email") => ({
    ...{ name, label: t(`account.${name}`), value: values[name], problems: problemsAt(error, name) },
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });
  return (
    <form className={styles.form} onSubmit={submit}>
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
      <TextLine {...input("name")} autoComplete="name" autoFocus />
      <TextLine {...input("email")} type="email" autoComplete="username" />
      <NewPassword
        minLength={passwordLength}
        known={[values.name, values.email]}
        problems={problemsAt(error, "password")}
        value={values.password}
        onChange={(password) => setValues({ ...values, password })}
      />
      <Button look="primary" type="submit" isWide isBusy={isBusy}>
        {t("welcome.submit")}
      </Button>
    </form>
  );
}

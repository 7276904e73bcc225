import { type FormEvent, useState } from "react";
import type { SignedIn } from "../../../src/wire/account.js";
import type { Problem } from "../../../src/wire/content.js";
import { ApiError, api } from "../../app/api.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import { Banner, messageOf } from "../../ui/state.js";
import { PasswordInput } from "./password-input.js";
import styles from "./sign-in.module.css";

/** What the server asks for at least; it has the last word. */
const ENOUGH = 12;

interface WelcomeFormProps {
  /** From the link that the start printed. */
  readonly code: string;
  readonly onDone: (signedIn: SignedIn) => void;
}

/** Makes the first administrator. */
export function WelcomeForm({ code, onDone }: WelcomeFormProps) {
  const [values, setValues] = useState({ name: "", email: "", password: "" });
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const { length } = values.password;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      onDone(await api<SignedIn>("/welcome", { method: "POST", body: { code, ...values } }));
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const input = (name: "name" | "email", autoComplete: string) => (
    <Field label={t(`account.${name}`)} problems={problemsAt(error, name)}>
      {(ids) => (
        <TextInput
          {...tiedTo(ids)}
          name={name}
          type={name === "email" ? "email" : "text"}
          autoComplete={autoComplete}
          autoFocus={name === "name"}
          required
          value={values[name]}
          onChange={(event) => setValues({ ...values, [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <form className={styles.form} onSubmit={submit}>
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
      {input("name", "name")}
      {input("email", "username")}
      <PasswordInput
        label={t("account.password")}
        autoComplete="new-password"
        hint={t("password.hint", { count: ENOUGH })}
        problems={problemsAt(error, "password")}
        value={values.password}
        onChange={(password) => setValues({ ...values, password })}
      />
      <span className={styles.strength} data-enough={length >= ENOUGH} aria-hidden="true">
        <span style={{ inlineSize: `${Math.min(100, (length / ENOUGH) * 100)}%` }} />
      </span>
      <Button look="primary" type="submit" isWide disabled={isBusy}>
        {t("welcome.submit")}
      </Button>
    </form>
  );
}

/** What the server says of one value. */
function problemsAt(error: unknown, name: string): readonly string[] {
  if (!(error instanceof ApiError)) return [];
  const { errors = [] } = error.details as { readonly errors?: readonly Problem[] };
  return errors.filter(({ path }) => String(path) === name).map(({ message }) => message);
}

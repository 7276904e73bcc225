import { useState } from "react";
import type { OwnAccount } from "../../../src/wire/accounts.js";
import { api } from "../../app/api.js";
import { chooseLanguage, nameOfLanguage } from "../../app/account-actions.js";
import { setTheme, THEMES, type Theme, themeNow } from "../../app/theme.js";
import { LANGUAGES, t, textLanguage } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Field, Select, tiedTo } from "../../ui/field.js";
import { Banner, messageOf } from "../../ui/state.js";
import { TextLine } from "../../ui/text-line.js";
import { sayDone } from "../../ui/toast.js";
import { NewPassword } from "../sign-in/new-password.js";
import { PasswordInput } from "../sign-in/password-input.js";
import { problemsAt } from "../../app/problems.js";
import { useSubmit } from "../../app/use-submit.js";
import styles from "./account.module.css";

interface FormProps {
  readonly account: OwnAccount;
  readonly onChange: (account: OwnAccount) => void;
}

type Answer = { readonly data: OwnAccount };

/** Name and language, of which the one is seen by others. */
export function ProfileForm({ account, onChange }: FormProps) {
  const [name, setName] = useState(account.name);
  const { error, isBusy, submit } = useSubmit(async () => {
    onChange((await api<Answer>("/account", { method: "PUT", body: { name } })).data);
    sayDone(t("account.saved"));
  });
  return (
    <form className={styles.fields} onSubmit={submit}>
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
      <TextLine
        label={t("account.name")}
        name="name"
        autoComplete="name"
        maxLength={200}
        value={name}
        onChange={setName}
        problems={problemsAt(error, "name")}
      />
      <div className={styles.buttons}>
        <Button type="submit" isBusy={isBusy}>
          {t("account.saveName")}
        </Button>
      </div>
    </form>
  );
}

/** How the page looks and speaks: the language follows the account, the theme is this browser's. */
export function LookForm({ onChange }: Pick<FormProps, "onChange">) {
  const [theme, choose] = useState(themeNow);
  const setLanguage = async (language: string) => {
    onChange((await api<Answer>("/account", { method: "PUT", body: { language } })).data);
    chooseLanguage(language);
  };
  return (
    <div className={styles.fields}>
      <Field label={t("account.language")}>
        {(ids) => (
          <Select {...tiedTo(ids)} value={textLanguage()} onChange={({ target }) => void setLanguage(target.value)}>
            {LANGUAGES.map((code) => (
              <option key={code} value={code}>
                {nameOfLanguage(code)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t("account.theme")} hint={t("account.theme.hint")}>
        {(ids) => (
          <Select
            {...tiedTo(ids)}
            value={theme}
            onChange={({ target }) => {
              setTheme(target.value as Theme);
              choose(target.value as Theme);
            }}
          >
            {THEMES.map((each) => (
              <option key={each.theme} value={each.theme}>
                {t(`theme.${each.theme}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

/** The address by which somebody signs in. */
export function EmailForm({ account, onChange }: FormProps) {
  const [values, setValues] = useState({ email: account.email, password: "" });
  const { error, isBusy, submit } = useSubmit(async () => {
    onChange((await api<Answer>("/account/email", { method: "PUT", body: values })).data);
    setValues({ ...values, password: "" });
    sayDone(t("account.emailSaved"));
  });
  const wrong = problemsAt(error, "password").length > 0 ? [t("confirm.wrong")] : [];
  const ofEmail = problemsAt(error, "email");
  return (
    <form className={styles.fields} onSubmit={submit}>
      {error !== undefined && wrong.length + ofEmail.length === 0 && <Banner kind="wrong">{messageOf(error)}</Banner>}
      <TextLine
        label={t("account.email")}
        name="email"
        type="email"
        autoComplete="username"
        value={values.email}
        problems={ofEmail}
        onChange={(email) => setValues({ ...values, email })}
      />
      <PasswordInput
        label={t("account.passwordNow")}
        autoComplete="current-password"
        value={values.password}
        problems={wrong}
        onChange={(password) => setValues({ ...values, password })}
      />
      <div className={styles.buttons}>
        <Button type="submit" isBusy={isBusy}>
          {t("account.saveEmail")}
        </Button>
      </div>
    </form>
  );
}

/** The password: the old one is asked for, and the other sessions end. */
export function PasswordForm({ account, onDone }: Pick<FormProps, "account"> & { readonly onDone: () => void }) {
  const [values, setValues] = useState({ old: "", password: "" });
  const { error, isBusy, submit } = useSubmit(async () => {
    await api("/account/password", { method: "PUT", body: values });
    setValues({ old: "", password: "" });
    sayDone(t("account.passwordSaved"));
    onDone();
  });
  const wrong = problemsAt(error, "old").length > 0 ? [t("confirm.wrong")] : [];
  const weak = problemsAt(error, "password");
  return (
    <form className={styles.fields} onSubmit={submit}>
      {error !== undefined && wrong.length + weak.length === 0 && <Banner kind="wrong">{messageOf(error)}</Banner>}
      <input hidden readOnly autoComplete="username" value={account.email} />
      <PasswordInput
        label={t("account.passwordNow")}
        name="old"
        autoComplete="current-password"
        value={values.old}
        problems={wrong}
        onChange={(old) => setValues({ ...values, old })}
      />
      <NewPassword
        label={t("account.passwordNew")}
        minLength={account.passwordLength}
        known={[account.name, account.email]}
        problems={weak}
        value={values.password}
        onChange={(password) => setValues({ ...values, password })}
      />
      <div className={styles.buttons}>
        <Button type="submit" isBusy={isBusy}>
          {t("account.savePassword")}
        </Button>
      </div>
    </form>
  );
}

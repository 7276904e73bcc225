import { useState } from "react";
import { useProblems, useValue } from "../../../form/form-context.js";
import { t } from "../../../messages/text.js";
import { Button, IconButton } from "../../../ui/button.js";
import { Field, TextInput, tiedTo } from "../../../ui/field.js";
import styles from "./users.module.css";

interface UserPasswordProps {
  /** In characters. */
  readonly minLength: number;
  readonly isNew: boolean;
}

/** Sets a password. The one that is stored is a hash, which nobody sees. */
export function UserPassword({ minLength, isNew }: UserPasswordProps) {
  const [value, set] = useValue<string | null>("password");
  const problems = useProblems("password");
  const [isShown, setShown] = useState(false);
  const generate = () => {
    set(randomPassword());
    setShown(true);
  };
  return (
    <Field
      label={t(isNew ? "account.password" : "users.newPassword")}
      hint={t(isNew ? "users.password.hint" : "users.newPassword.hint", { count: minLength })}
      isRequired={isNew}
      problems={problems}
    >
      {(ids) => (
        <span className={styles.password}>
          <TextInput
            {...tiedTo(ids)}
            type={isShown ? "text" : "password"}
            autoComplete="new-password"
            spellCheck={false}
            value={value ?? ""}
            onChange={({ target }) => set(target.value === "" ? null : target.value)}
          />
          <IconButton
            icon={isShown ? "eye-off" : "eye"}
            label={isShown ? t("password.hide") : t("password.show")}
            onClick={() => setShown(!isShown)}
          />
          <Button icon="refresh-cw" onClick={generate}>
            {t("users.generate")}
          </Button>
        </span>
      )}
    </Field>
  );
}

/** Without letters and digits that look alike. */
const LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 16;

/** Some 92 bits. Bytes beyond the last whole number of alphabets are left out, so that no letter is more frequent. */
function randomPassword(): string {
  const most = 256 - (256 % LETTERS.length);
  let text = "";
  while (text.length < LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH)))
      if (byte < most && text.length < LENGTH) text += LETTERS[byte % LETTERS.length];
  return text;
}

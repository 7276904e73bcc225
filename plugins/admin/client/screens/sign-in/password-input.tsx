import { useState } from "react";
import { t } from "../../messages/text.js";
import { IconButton } from "../../ui/button.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import styles from "./sign-in.module.css";

interface PasswordInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoComplete: "current-password" | "new-password";
  readonly problems?: readonly string[];
  readonly hint?: string;
  readonly autoFocus?: boolean;
  /** Of a form with several passwords. */
  readonly name?: string;
}

/** A password, which may be shown and pasted. */
export function PasswordInput({ label, value, onChange, problems = [], hint, ...input }: PasswordInputProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} problems={problems} hint={hint}>
      {(ids) => (
        <span className={styles.password}>
          <TextInput
            {...tiedTo(ids)}
            name="password"
            {...input}
            type={isShown ? "text" : "password"}
            autoCapitalize="none"
            spellCheck={false}
            required
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <IconButton
            icon={isShown ? "eye-off" : "eye"}
            label={isShown ? t("password.hide") : t("password.show")}
            onClick={() => setShown(!isShown)}
          />
        </span>
      )}
    </Field>
  );
}

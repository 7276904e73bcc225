import { t } from "../../messages/text.js";
import { PasswordInput } from "./password-input.js";
import styles from "./sign-in.module.css";
import { type Strength, strengthOf } from "./strength.js";

interface NewPasswordProps {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Characters that the server asks for. */
  readonly minLength: number;
  /** Name and address of the account, which a password is not made of. */
  readonly known?: readonly string[];
  readonly problems?: readonly string[];
}

/** How much of the bar is filled. */
const PARTS: Readonly<Record<Strength, number>> = { short: 0, weak: 35, fair: 65, strong: 100 };

/** A password that is chosen: how strong it is is said while it is typed. */
export function NewPassword({ label, value, onChange, minLength, known = [], problems = [] }: NewPasswordProps) {
  const strength = strengthOf(value, minLength, known);
  const missing = minLength - [...value].length;
  const part = strength === "short" ? ([...value].length / minLength) * 25 : PARTS[strength];
  return (
    <div className={styles.newPassword}>
      <PasswordInput
        label={label ?? t("account.password")}
        autoComplete="new-password"
        hint={t("password.hint", { count: minLength })}
        problems={problems}
        value={value}
        onChange={onChange}
      />
      <span className={styles.strength} data-strength={strength} aria-hidden="true">
        <span style={{ inlineSize: `${part}%` }} />
      </span>
      <p className={styles.strengthText} role="status">
        {value === ""
          ? ""
          : strength === "short"
            ? t("password.missing", { count: missing })
            : t(`password.${strength}`)}
      </p>
    </div>
  );
}

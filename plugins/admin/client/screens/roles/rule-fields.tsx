import type { RoleType } from "../../../src/wire/roles.js";
import { t } from "../../messages/text.js";
import styles from "./roles.module.css";

interface RuleFieldsProps {
  readonly type: RoleType;
  /** Undefined: all. */
  readonly fields: readonly string[] | undefined;
  readonly isLocked: boolean;
  readonly onChange: (fields: readonly string[] | undefined) => void;
}

/** The fields that an action reaches, as a list to tick. */
export function RuleFields({ type, fields, isLocked, onChange }: RuleFieldsProps) {
  const all = type.fields.map(({ name }) => name);
  const toggle = (name: string, isOn: boolean) => {
    const chosen = fields ?? all;
    onChange(isOn ? [...chosen, name] : chosen.filter((other) => other !== name));
  };
  // Fields that are no longer there stay named until somebody takes them out.
  const gone = (fields ?? []).filter((name) => !all.includes(name)).map((name) => ({ name, label: name }));
  return (
    <fieldset className={styles.choices} disabled={isLocked}>
      <legend>{t("roles.fields")}</legend>
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={fields === undefined}
          onChange={({ target }) => onChange(target.checked ? undefined : all)}
        />
        {t("roles.fields.all")}
      </label>
      <div className={styles.ticks}>
        {[...type.fields, ...gone].map(({ name, label }) => (
          <label key={name} className={styles.choice}>
            <input
              type="checkbox"
              disabled={fields === undefined}
              checked={fields === undefined || fields.includes(name)}
              onChange={({ target }) => toggle(name, target.checked)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

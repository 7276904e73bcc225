import { useState } from "react";
import { useProblems, useValue } from "../../form/form-context.js";
import { t } from "../../messages/text.js";
import { Field, tiedTo } from "../../ui/field.js";
import { idOf } from "../field-id.js";
import type { InputProps } from "../field-props.js";
import styles from "./choice.module.css";
import { Radios } from "./radios.js";

/** A switch; radio buttons where nothing is an answer too, or where the answer has to be given by somebody. */
export function BooleanField({ path, attribute, isReadOnly }: InputProps) {
  const [value, set] = useValue<boolean | null>(path);
  const problems = useProblems(path);
  const { label, hint, default: initial } = attribute;
  const [isOpen] = useState(initial === undefined || (value ?? null) === null);
  if (isOpen) return <Answers {...{ path, attribute, isReadOnly }} />;
  return (
    <Field id={idOf(path)} label={label} hint={hint} problems={problems}>
      {(ids) => (
        <input
          {...tiedTo(ids)}
          type="checkbox"
          role="switch"
          aria-checked={value ?? false}
          className={styles.switch}
          disabled={isReadOnly}
          checked={value ?? false}
          onChange={({ target }) => set(target.checked)}
        />
      )}
    </Field>
  );
}

/** Yes and no, and where it is optional neither. Where it is required, it says that nothing is chosen yet. */
function Answers({ path, attribute: { label, hint, isRequired }, isReadOnly }: InputProps) {
  const [value, set] = useValue<boolean | null>(path);
  const problems = useProblems(path);
  const answers = [
    { value: true, label: t("value.yes") },
    { value: false, label: t("value.no") },
    ...(isRequired ? [] : [{ value: null, label: t("value.unset") }]),
  ];
  const isOpen = isRequired && (value ?? null) === null;
  return (
    <Field
      id={idOf(path)}
      label={label}
      hint={hint}
      isRequired={isRequired}
      problems={problems}
      aside={isOpen ? t("value.notChosen") : undefined}
      isGroup
    >
      {(ids) => <Radios ids={ids} options={answers} value={value ?? null} isReadOnly={isReadOnly} onChange={set} />}
    </Field>
  );
}

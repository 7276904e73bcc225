import { type ChangeEvent, type ReactNode, useId, useState } from "react";
import { Field, Select, TextArea, TextInput, tiedTo } from "../../ui/field.js";
import styles from "./builder.module.css";

interface ControlProps<Value> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: Value;
  readonly problems?: readonly string[];
  readonly isReadOnly?: boolean;
  readonly onChange: (value: Value) => void;
}

/** One line of text. */
export function TextControl(
  props: ControlProps<string> & { readonly isRequired?: boolean; readonly isCode?: boolean },
) {
  const { label, hint, value, problems, isReadOnly = false, onChange, isRequired = false, isCode = false } = props;
  return (
    <Field label={label} {...{ hint, isRequired, ...(problems ? { problems } : {}) }}>
      {(ids) => (
        <TextInput
          {...tiedTo(ids)}
          value={value}
          readOnly={isReadOnly}
          spellCheck={!isCode}
          className={isCode ? styles.code : undefined}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** Several lines of text. */
export function LinesControl({ label, hint, value, problems, isReadOnly = false, onChange }: ControlProps<string>) {
  return (
    <Field label={label} {...{ hint, ...(problems ? { problems } : {}) }}>
      {(ids) => (
        <TextArea
          {...tiedTo(ids)}
          value={value}
          readOnly={isReadOnly}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** A number, or nothing. What is no number yet stays as it is typed. */
export function NumberControl(props: ControlProps<number | string | undefined>) {
  const { label, hint, value, problems, isReadOnly = false, onChange } = props;
  const [typed, setTyped] = useState<string>();
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const text = target.value.trim();
    setTyped(target.value);
    if (text === "") onChange(undefined);
    else if (Number.isFinite(Number(text)))
      onChange(Number.isSafeInteger(Number(text)) || text.includes(".") ? Number(text) : text);
  };
  return (
    <Field label={label} {...{ hint, ...(problems ? { problems } : {}) }}>
      {(ids) => (
        <TextInput
          {...tiedTo(ids)}
          inputMode="decimal"
          value={typed ?? String(value ?? "")}
          readOnly={isReadOnly}
          onChange={change}
          onBlur={() => setTyped(undefined)}
        />
      )}
    </Field>
  );
}

/** One of several values. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** One of a list. */
export function SelectControl(props: ControlProps<string> & { readonly choices: readonly Choice[] }) {
  const { label, hint, value, problems, isReadOnly = false, onChange, choices } = props;
  const all = choices.some((choice) => choice.value === value) ? choices : [{ value, label: value }, ...choices];
  return (
    <Field label={label} {...{ hint, ...(problems ? { problems } : {}) }}>
      {(ids) => (
        <Select {...tiedTo(ids)} value={value} disabled={isReadOnly} onChange={({ target }) => onChange(target.value)}>
          {all.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** Yes or no. */
export function CheckControl({
  label,
  hint,
  value,
  problems = [],
  isReadOnly = false,
  onChange,
}: ControlProps<boolean>) {
  const id = useId();
  const described = hint || problems.length > 0 ? `${id}-hint` : undefined;
  return (
    <div className={styles.check}>
      <label>
        <input
          type="checkbox"
          checked={value}
          disabled={isReadOnly}
          aria-describedby={described}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>{label}</span>
      </label>
      {described && (
        <p id={described} className={problems.length > 0 ? styles.wrong : styles.soft}>
          {[hint, ...problems].filter(Boolean).join(" ")}
        </p>
      )}
    </div>
  );
}

interface ChecksProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly values: readonly string[];
  readonly problems?: readonly string[];
  readonly isReadOnly?: boolean;
  readonly onChange: (values: readonly string[]) => void;
}

/** Some of several values. */
export function ChecksControl({ label, choices, values, problems = [], isReadOnly = false, onChange }: ChecksProps) {
  const toggle = (value: string, isOn: boolean) =>
    onChange(isOn ? [...values, value] : values.filter((other) => other !== value));
  return (
    <Section label={label}>
      {choices.map(({ value, label: name }) => (
        <CheckControl
          key={value}
          label={name}
          value={values.includes(value)}
          isReadOnly={isReadOnly}
          onChange={(isOn) => toggle(value, isOn)}
        />
      ))}
      {problems.map((problem) => (
        <p key={problem} className={styles.wrong}>
          {problem}
        </p>
      ))}
    </Section>
  );
}

/** Controls that belong together. */
export function Section({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend>{label}</legend>
      {children}
    </fieldset>
  );
}

import { useState } from "react";
import { useProblems, useValue } from "../../form/form-context.js";
import { t } from "../../messages/text.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import { idOf } from "../field-id.js";
import type { InputProps } from "../field-props.js";
import styles from "./date.module.css";
import { fromInput, inputTypeOf, ownZone, toInput } from "./date-text.js";

/** The last day that an input takes: without it browsers wait for six digits of a year. */
const LAST = { date: "9999-12-31", "datetime-local": "9999-12-31T23:59:59", time: undefined };

/** A day, a time or both, by the browser's own control, which is in the reader's notation. Moments are shown by the clocks of a zone that can be chosen. */
export function DateField({ path, attribute, isReadOnly }: InputProps) {
  const [value, set] = useValue<string | null>(path);
  const problems = useProblems(path);
  // As it stands in the input: a year that is typed digit by digit is another one at each of them.
  const [typed, setTyped] = useState<string>();
  const [zone, setZone] = useState(ownZone);
  const { kind, label, hint, isRequired } = attribute;
  const isMoment = kind === "datetime" || kind === "timestamp";
  const type = inputTypeOf(kind);
  return (
    <Field
      id={idOf(path)}
      label={label}
      hint={hint}
      isRequired={isRequired}
      problems={problems}
      aside={isMoment && <ZoneSelect label={t("date.zone", { field: label })} zone={zone} onChange={setZone} />}
    >
      {(ids) => (
        <TextInput
          {...tiedTo(ids)}
          type={type}
          max={LAST[type]}
          {...(kind === "date" ? {} : { step: 1 })}
          readOnly={isReadOnly}
          value={typed ?? toInput(kind, value, zone)}
          onChange={({ target }) => {
            setTyped(target.value);
            set(fromInput(kind, target.value, zone));
          }}
          onBlur={() => setTyped(undefined)}
        />
      )}
    </Field>
  );
}

interface ZoneSelectProps {
  readonly label: string;
  readonly zone: string;
  readonly onChange: (zone: string) => void;
}

const UTC = "UTC";

/** Chooses a time zone. There are some 400: they are listed once somebody is about to choose. */
export function ZoneSelect({ label, zone, onChange }: ZoneSelectProps) {
  const [isListed, setListed] = useState(false);
  const list = () => setListed(true);
  const zones = [...new Set([ownZone(), UTC, zone, ...(isListed ? Intl.supportedValuesOf("timeZone") : [])])];
  return (
    <select
      aria-label={label}
      className={styles.zone}
      value={zone}
      onFocus={list}
      onPointerEnter={list}
      onChange={({ target }) => onChange(target.value)}
    >
      {zones.map((name) => (
        <option key={name} value={name}>
          {name.replaceAll("_", " ")}
        </option>
      ))}
    </select>
  );
}

import { useState } from "react";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import { momentText } from "./moment-text.js";
import styles from "./plans.module.css";
import { clockAt, dayAt, readClock } from "./zoned-time.js";

/** What stands in a field of a day and a time. */
export interface MomentInput {
  /** As an input has it: `2030-03-31T02:30`. */
  readonly text: string;
  /** Of a time that there is twice: which one. */
  readonly isSecond: boolean;
}

/** A moment as its field shows it; null: empty. */
export const inputOf = (moment: string | null, zone: string): MomentInput => {
  if (moment === null) return { text: "", isSecond: false };
  const text = clockAt(moment, zone);
  const reading = readClock(text, zone);
  return { text, isSecond: reading.kind === "twice" && reading.second === moment };
};

/** What a field says: null where it is empty, undefined where it says no moment that there is. */
export function momentOf({ text, isSecond }: MomentInput, zone: string): string | null | undefined {
  const reading = readClock(text, zone);
  if (reading.kind === "empty") return null;
  if (reading.kind === "never") return undefined;
  return reading.kind === "once" ? reading.at : isSecond ? reading.second : reading.first;
}

interface MomentFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly zone: string;
  readonly value: MomentInput;
  readonly problems?: readonly string[];
  readonly onChange: (value: MomentInput) => void;
}

/** A day and a time by the clocks of a zone. A time that there is not, or twice, is said, and is the person's to choose. */
export function MomentField({ label, hint, zone, value, problems = [], onChange }: MomentFieldProps) {
  const [today] = useState(() => new Date().toISOString());
  const reading = readClock(value.text, zone);
  const wrong = reading.kind === "never" ? [t("moment.never")] : [];
  return (
    <div className={styles.moment}>
      <Field label={label} hint={hint} problems={[...problems, ...wrong]}>
        {(ids) => (
          <TextInput
            {...tiedTo(ids)}
            type="datetime-local"
            min={`${dayAt(today, zone)}T00:00`}
            max="9999-12-31T23:59"
            value={value.text}
            onChange={({ target }) => onChange({ text: target.value, isSecond: false })}
          />
        )}
      </Field>
      {reading.kind === "never" && (
        <Button isSmall icon="clock" onClick={() => onChange({ text: reading.next, isSecond: false })}>
          {t("moment.next", { time: timeOf(reading.next, zone) })}
        </Button>
      )}
      {reading.kind === "twice" && (
        <fieldset className={styles.twice}>
          <legend>{t("moment.twice")}</legend>
          {[reading.first, reading.second].map((moment, index) => (
            <label key={moment} className={styles.choice}>
              <input
                type="radio"
                name={`twice-${label}`}
                checked={value.isSecond === (index === 1)}
                onChange={() => onChange({ text: value.text, isSecond: index === 1 })}
              />
              {momentText(moment, zone)}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}

function timeOf(text: string, zone: string): string {
  const reading = readClock(text, zone);
  return reading.kind === "once" ? momentText(reading.at, zone) : text;
}

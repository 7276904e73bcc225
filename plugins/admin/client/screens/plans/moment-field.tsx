import { useState } from "react";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import type { MomentInput } from "./moment-input.js";
import { momentText } from "./moment-text.js";
import styles from "./plans.module.css";
import { dayAt, readClock } from "./zoned-time.js";

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

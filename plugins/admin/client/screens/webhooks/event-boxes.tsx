import { useState } from "react";
import { isAlike } from "../../form/equal.js";
import { t } from "../../messages/text.js";
import { Field, Group, TextInput, tiedTo } from "../../ui/field.js";
import planStyles from "../plans/plans.module.css";
import type { FormPartProps } from "./form-part.js";
import styles from "./webhooks.module.css";

/** Every event. */
const ALL = "*";

/** Which events, of which kinds of content. */
export function EventBoxes(props: FormPartProps) {
  return (
    <div className={styles.pair}>
      <Events {...props} />
      <Types {...props} />
    </div>
  );
}

function Events({ values: { events }, set, of, isLocked, options }: FormPartProps) {
  const subjects = [...new Set(options.events.map(subjectOf))];
  const known = [ALL, ...subjects.map((subject) => `${subject}.*`), ...options.events];
  // As it is typed: a list that is written anew at each key would lose the comma.
  const others = events.filter((event) => !known.includes(event));
  const [text, setText] = useState("");
  const typed = isAlike(listOf(text), others) ? text : others.join(", ");
  const toggle = (event: string, isOn: boolean) =>
    set({ events: isOn ? [...events, event] : events.filter((each) => each !== event) });
  const box = (event: string, label: string, isImplied: boolean) => (
    <label key={event} className={planStyles.choice}>
      <input
        type="checkbox"
        disabled={isLocked || isImplied}
        checked={isImplied || events.includes(event)}
        onChange={({ target }) => toggle(event, target.checked)}
      />
      {label}
    </label>
  );
  const hasAll = events.includes(ALL);
  return (
    <Field label={t("webhook.events")} isGroup isRequired problems={of("events")}>
      {(ids) => (
        <Group ids={ids} className={styles.boxes}>
          {box(ALL, t("webhook.events.all"), false)}
          {subjects.map((subject) => (
            <fieldset key={subject} className={styles.subject}>
              <legend>{subject}</legend>
              {box(`${subject}.*`, t("webhook.events.allOf", { subject }), hasAll)}
              {options.events
                .filter((event) => subjectOf(event) === subject)
                .map((event) => box(event, event, hasAll || events.includes(`${subject}.*`)))}
            </fieldset>
          ))}
          <Field label={t("webhook.events.own")} hint={t("webhook.events.own.hint")}>
            {(own) => (
              <TextInput
                {...tiedTo(own)}
                readOnly={isLocked}
                value={typed}
                onChange={({ target }) => {
                  setText(target.value);
                  set({ events: [...events.filter((event) => known.includes(event)), ...listOf(target.value)] });
                }}
              />
            )}
          </Field>
        </Group>
      )}
    </Field>
  );
}

const listOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

const subjectOf = (event: string): string => event.slice(0, event.lastIndexOf("."));

function Types({ values: { types }, set, of, isLocked, options }: FormPartProps) {
  const chosen = types ?? [];
  // One that is gone is shown, to be taken out.
  const gone = chosen.filter((uid) => !options.types.some((type) => type.uid === uid));
  return (
    <Field label={t("webhook.types")} isGroup problems={of("types")}>
      {(ids) => (
        <Group ids={ids} className={styles.boxes}>
          <label className={planStyles.choice}>
            <input
              type="checkbox"
              disabled={isLocked}
              checked={types === null}
              onChange={({ target }) => set({ types: target.checked ? null : [] })}
            />
            {t("webhook.types.all")}
          </label>
          {types !== null &&
            [...options.types, ...gone.map((uid) => ({ uid, name: uid }))].map(({ uid, name }) => (
              <label key={uid} className={planStyles.choice}>
                <input
                  type="checkbox"
                  disabled={isLocked}
                  checked={chosen.includes(uid)}
                  onChange={({ target }) =>
                    set({ types: target.checked ? [...chosen, uid] : chosen.filter((each) => each !== uid) })
                  }
                />
                <span>
                  {name} <span className={planStyles.soft}>{uid}</span>
                </span>
              </label>
            ))}
        </Group>
      )}
    </Field>
  );
}

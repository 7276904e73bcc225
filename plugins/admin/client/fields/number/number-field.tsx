import { useState } from "react";
import { useProblems, useValue } from "../../form/form-context.js";
import { language } from "../../messages/text.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import { idOf } from "../field-id.js";
import type { InputProps } from "../field-props.js";
import { numberProblem } from "./number-problem.js";
import { formatNumber, keepText, keptText, readNumber } from "./number-text.js";

/** A number in the reader's notation. What is no number, or could be two, stays as it was typed, and is said. */
export function NumberField({ path, attribute, isReadOnly }: InputProps) {
  const [value, set] = useValue<number | string | null>(path);
  const problems = useProblems(path);
  const [typed, setTyped] = useState<string>();
  const { kind, label, hint, placeholder, isRequired } = attribute;
  const isWhole = kind === "integer" || kind === "biginteger";
  const unread = typed ?? keptText(value);
  const problem = unread === undefined || unread.trim() === "" ? undefined : numberProblem(unread, kind);
  const change = (next: string) => {
    setTyped(next);
    const reading = readNumber(next, kind, language());
    if (next.trim() === "") set(null);
    // What is typed so far is kept as text, so that it outlives the tab.
    else set(reading && "value" in reading ? reading.value : keepText(next));
  };
  return (
    <Field
      id={idOf(path)}
      label={label}
      hint={hint}
      isRequired={isRequired}
      problems={problem === undefined ? problems : [problem]}
    >
      {(ids) => (
        <TextInput
          {...tiedTo(ids)}
          inputMode={isWhole ? "numeric" : "decimal"}
          placeholder={placeholder ?? undefined}
          readOnly={isReadOnly}
          value={unread ?? formatNumber(value, kind, language())}
          onChange={({ target }) => change(target.value)}
          onBlur={() => {
            if (problem === undefined) setTyped(undefined);
          }}
        />
      )}
    </Field>
  );
}

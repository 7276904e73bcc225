import type { HTMLInputAutoCompleteAttribute } from "react";
import { Field, TextInput, tiedTo } from "./field.js";

interface TextFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: "text" | "email";
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
  readonly autoFocus?: boolean;
  readonly isReadOnly?: boolean;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  readonly hint?: string;
  readonly problems?: readonly string[];
}

/** A line of text with its label. */
export function TextLine({
  label,
  hint,
  problems = [],
  onChange,
  isReadOnly = false,
  isRequired = true,
  ...input
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} problems={problems}>
      {(ids) => (
        <TextInput
          {...tiedTo(ids)}
          {...input}
          readOnly={isReadOnly}
          required={isRequired}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

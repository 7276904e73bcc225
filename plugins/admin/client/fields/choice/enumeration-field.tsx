import { useProblems, useValue } from "../../form/form-context.js";
import { t } from "../../messages/text.js";
import { Field, type FieldIds, Select, tiedTo } from "../../ui/field.js";
import { idOf } from "../field-id.js";
import type { InputProps } from "../field-props.js";
import { EnumerationCombobox } from "./enumeration-combobox.js";
import { Radios } from "./radios.js";

/** Up to how many values there are radio buttons, and up to how many a list; above that one types. */
const MAX_RADIOS = 4;
const MAX_LISTED = 8;

/** One of the values that the schema has. */
export function EnumerationField({ path, attribute, isReadOnly }: InputProps) {
  const [value, set] = useValue<string | null>(path);
  const problems = useProblems(path);
  const { label, hint, isRequired, values = [] } = attribute;
  const isShort = values.length <= MAX_RADIOS;
  const Input = isShort ? Few : values.length <= MAX_LISTED ? Listed : EnumerationCombobox;
  return (
    <Field id={idOf(path)} label={label} hint={hint} isRequired={isRequired} problems={problems} isGroup={isShort}>
      {(ids) => <Input {...{ ids, values, isReadOnly }} value={value ?? null} onChange={set} />}
    </Field>
  );
}

interface ChoiceProps {
  readonly ids: FieldIds;
  readonly values: readonly string[];
  readonly value: string | null;
  readonly isReadOnly: boolean;
  readonly onChange: (value: string | null) => void;
}

function Few({ values, ...rest }: ChoiceProps) {
  const named = values.map((value) => ({ value, label: value }));
  const options = rest.ids.isRequired ? named : [...named, { value: null, label: t("value.none") }];
  return <Radios {...rest} options={options} />;
}

function Listed({ ids, values, value, isReadOnly, onChange }: ChoiceProps) {
  return (
    <Select
      {...tiedTo(ids)}
      disabled={isReadOnly}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? null : target.value)}
    >
      <option value="">{t("value.none")}</option>
      {values.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </Select>
  );
}

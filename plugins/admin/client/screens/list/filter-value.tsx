import type { AttributeView } from "../../../src/wire/model.js";
import { ExtensionPart } from "../../app/extension-part.js";
import { useExtensionField } from "../../app/extensions.js";
import { t } from "../../messages/text.js";
import { Field, Select, TextInput, tiedTo } from "../../ui/field.js";
import { DocumentChoice } from "./document-choice.js";
import styles from "./list.module.css";
import { type Comparison, type FilterField, isMoment, isWithDocuments } from "./operators.js";

interface FilterValueProps {
  /** Uid of the list, and the names on the way to the attribute. */
  readonly uid: string;
  readonly path: readonly string[];
  readonly attribute: FilterField;
  readonly comparison: Comparison;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

/** What a condition compares with: the input that fits the attribute and the comparison. */
export function FilterValue(props: FilterValueProps) {
  const { attribute, comparison, values, onChange } = props;
  if (isWithDocuments(comparison)) return <DocumentChoice {...props} />;
  if (comparison === "in")
    return <Checks label={t("filter.values")} field={attribute} chosen={values} onChange={onChange} />;
  const input = { attribute, comparison };
  if (comparison === "between")
    return (
      <div className={styles.pair}>
        <OneValue
          {...input}
          label={t("filter.from")}
          value={values[0]}
          onChange={(from) => onChange([from, values[1] ?? ""])}
        />
        <OneValue
          {...input}
          label={t("filter.to")}
          value={values[1]}
          onChange={(to) => onChange([values[0] ?? "", to])}
        />
      </div>
    );
  const label = comparison === "lastDays" ? t("filter.days") : t("filter.value");
  return <OneValue {...input} label={label} value={values[0]} onChange={(value) => onChange([value])} />;
}

const INPUT_TYPES: Readonly<Partial<Record<AttributeView["kind"], string>>> = {
  integer: "number",
  float: "number",
  decimal: "number",
  date: "date",
  time: "time",
  datetime: "datetime-local",
  timestamp: "datetime-local",
};

function inputType({ kind }: AttributeView, comparison: Comparison): string {
  if (comparison === "lastDays") return "number";
  if (comparison === "on" && isMoment(kind)) return "date";
  return INPUT_TYPES[kind] ?? "text";
}

interface OneValueProps {
  readonly attribute: FilterField;
  readonly comparison: Comparison;
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

function OneValue({ attribute, comparison, label, value = "", onChange }: OneValueProps) {
  const field = useExtensionField(attribute.field ?? undefined);
  const options = attribute.kind === "boolean" ? ["true", "false"] : attribute.values;
  if (field?.filter)
    return <ExtensionPart owner={field.owner} part={field.filter} props={{ attribute, value, label, set: onChange }} />;
  const isDays = comparison === "lastDays";
  return (
    <Field label={label}>
      {(ids) =>
        options ? (
          <Select {...tiedTo(ids)} required value={value} onChange={({ target }) => onChange(target.value)}>
            <option value="">{t("filter.choose")}</option>
            {options.map((option) => (
              <option key={option} value={option}>
                {attribute.kind === "boolean"
                  ? t(option === "true" ? "value.yes" : "value.no")
                  : wordsOf(attribute, option)}
              </option>
            ))}
          </Select>
        ) : (
          <TextInput
            {...tiedTo(ids)}
            type={inputType(attribute, comparison)}
            step={isDays ? 1 : "any"}
            {...(isDays ? { min: 1, max: 3650 } : {})}
            required
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Field>
  );
}

const wordsOf = ({ wordsFor }: FilterField, option: string): string => wordsFor?.(option) ?? option;

interface ChecksProps {
  readonly label: string;
  readonly field: FilterField;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

function Checks({ label, field, chosen, onChange }: ChecksProps) {
  const options = field.values ?? [];
  return (
    <fieldset className={styles.choices}>
      <legend>{label}</legend>
      <div className={styles.options}>
        {options.map((option) => (
          <label key={option} className={styles.option}>
            <input
              type="checkbox"
              className={styles.check}
              checked={chosen.includes(option)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, option] : chosen.filter((other) => other !== option))
              }
            />
            <span>{wordsOf(field, option)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

import { createContext, type FormEvent, useContext, useState } from "react";
import type { TypeView } from "../../../src/wire/model.js";
import { useSession } from "../../app/session.js";
import type { Condition } from "../../app/filter-tree.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Field, Select, tiedTo } from "../../ui/field.js";
import { attributeOf, changedForm, fromCondition, toCondition } from "./filter-condition.js";
import { attributesAt, filterable, innerFields, ownFields } from "./filter-fields.js";
import { FilterValue } from "./filter-value.js";
import { comparisonText } from "./filter-words.js";
import { type Comparison, comparisonsAt, type FilterField, isBare, isWithDocuments } from "./operators.js";

/** What forms do not offer. */
interface Excluded {
  readonly comparisons: readonly Comparison[];
  /** Names at the first level. */
  readonly fields: readonly string[];
}

const ExcludedContext = createContext<Excluded>({ comparisons: [], fields: [] });

/** What the forms inside do not offer. */
export const ExcludedFromFilters = ExcludedContext.Provider;

interface FilterFormProps {
  readonly type: TypeView;
  /** What is changed; nothing: it is a new one. */
  readonly condition?: Condition | undefined;
  readonly onApply: (condition: Condition) => void;
}

/** Names a field, a comparison and a value. */
export function FilterForm({ type, condition, onApply }: FilterFormProps) {
  const session = useSession();
  const excluded = useContext(ExcludedContext);
  const [path, setPath] = useState(() => (condition ? attributeOf(condition) : firstField(type, excluded)));
  const attributes = attributesAt(session, type, path);
  const attribute = attributes.at(-1);
  const [form, setForm] = useState(() =>
    condition && attribute ? fromCondition(attribute.kind, condition) : undefined,
  );
  const comparisons = comparisonsAt(attributes).filter((each) => !excluded.comparisons.includes(each));
  const comparison = comparisons.find((known) => known === form?.comparison) ?? comparisons[0];
  if (!attribute || !comparison) return null;
  const values = form?.values ?? [];
  const choosePath = (next: readonly string[]) => {
    setPath(next);
    setForm(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isEmpty = (comparison === "in" || isWithDocuments(comparison)) && values.length === 0;
    if (!isEmpty) onApply(toCondition(path, attribute.kind, { comparison, values }));
  };
  return (
    <form onSubmit={submit}>
      <PathFields type={type} path={path} attributes={attributes} onChange={choosePath} />
      <Field label={t("filter.operator")}>
        {(ids) => (
          <Select
            {...tiedTo(ids)}
            value={comparison}
            onChange={({ target }) => setForm(changedForm(target.value as Comparison, { comparison, values }))}
          >
            {comparisons.map((known) => (
              <option key={known} value={known}>
                {comparisonText(known, attribute.kind)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {!isBare(comparison) && (
        <FilterValue
          {...{ uid: type.uid, path, attribute, comparison, values }}
          onChange={(next) => setForm({ comparison, values: next })}
        />
      )}
      <Button look="primary" type="submit">
        {t("filter.apply")}
      </Button>
    </form>
  );
}

/** The fields of the first level that are offered. */
const offeredFields = (type: TypeView, excluded: Excluded) =>
  filterable(ownFields(type)).filter(([name]) => !excluded.fields.includes(name));

function firstField(type: TypeView, excluded: Excluded): readonly string[] {
  const fields = offeredFields(type, excluded);
  return [fields.some(([name]) => name === type.title) ? type.title : (fields[0]?.[0] ?? "updatedAt")];
}

interface PathFieldsProps {
  readonly type: TypeView;
  readonly path: readonly string[];
  readonly attributes: readonly FilterField[];
  readonly onChange: (path: readonly string[]) => void;
}

/** One select for each level: the field, and what is inside of a component or of the document that a relation leads to. */
function PathFields({ type, path, attributes, onChange }: PathFieldsProps) {
  const session = useSession();
  const excluded = useContext(ExcludedContext);
  const inner = attributes.map((attribute) => filterable(innerFields(session, attribute)));
  return [offeredFields(type, excluded), ...inner].map((options, level) => {
    const outer = attributes[level - 1];
    if (options.length === 0) return null;
    const before = path.slice(0, level);
    return (
      <Field
        // biome-ignore lint/suspicious/noArrayIndexKey: a level is its index
        key={level}
        label={outer ? t("filter.fieldOf", { field: outer.label }) : t("filter.field")}
      >
        {(ids) => (
          <Select
            {...tiedTo(ids)}
            value={path[level] ?? ""}
            onChange={({ target }) => onChange(target.value === "" ? before : [...before, target.value])}
          >
            {outer && <option value="">{t("filter.itself")}</option>}
            {options.map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
    );
  });
}

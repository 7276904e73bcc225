import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import styles from "./builder.module.css";
import { CheckControl } from "./controls.js";
import { allAttributesOf, type Attributes, type DraftedShape, getAt, moved, PAGE } from "./draft.js";
import { automaticRows, fieldsOf, type PlacedField, rowsOf, widthOf } from "./form-rows.js";
import { OrderedRow } from "./ordered-row.js";

interface LayoutProps {
  readonly shape: DraftedShape;
  readonly isReadOnly: boolean;
  readonly problems: readonly string[];
  readonly onChange: (layout: unknown) => void;
}

const LIST = "builder-layout";

/** The rows of the form, and how they look. */
export function LayoutOptions({ shape, isReadOnly, problems, onChange }: LayoutProps) {
  const attributes = allAttributesOf(shape);
  const given = getAt(shape.schema, [...PAGE, "layout"]);
  const isGiven = Array.isArray(given);
  const rows = isGiven ? (given as readonly (readonly string[])[]) : automaticRows(attributes);
  if (rows.length === 0) return null;
  return (
    <section className={styles.part} id={LIST} aria-label={t("builder.page.layout")}>
      <h4>{t("builder.page.layout")}</h4>
      {!isGiven && <p className={styles.soft}>{t("builder.page.layout.automatic")}</p>}
      <Preview attributes={attributes} rows={rows} />
      {isGiven && (
        <Fields fields={fieldsOf(rows)} isReadOnly={isReadOnly} onChange={(next) => onChange(rowsOf(next))} />
      )}
      {problems.map((problem) => (
        <p key={problem} className={styles.wrong}>
          {problem}
        </p>
      ))}
      {!isReadOnly && (
        <div>
          <Button isSmall onClick={() => onChange(isGiven ? undefined : rows)}>
            {t(isGiven ? "builder.automatic" : "builder.arrange")}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Boxes in the places of the fields. What the names say is in the list below, too. */
function Preview({
  attributes,
  rows,
}: {
  readonly attributes: Attributes;
  readonly rows: readonly (readonly string[])[];
}) {
  return (
    <div className={styles.preview} aria-hidden="true">
      {rows.map((row) => (
        <div key={row.join()} className={styles.previewRow}>
          {row.map((name) => (
            <span key={name} style={{ gridColumn: `span ${widthOf(attributes, name)}` }}>
              {name}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

interface FieldsProps {
  readonly fields: readonly PlacedField[];
  readonly isReadOnly: boolean;
  readonly onChange: (fields: readonly PlacedField[]) => void;
}

function Fields({ fields, isReadOnly, onChange }: FieldsProps) {
  const begin = (index: number, beginsRow: boolean) =>
    onChange(fields.map((field, at) => (at === index ? { ...field, beginsRow } : field)));
  return fields.map(({ name, beginsRow }, index) => (
    <OrderedRow
      key={name}
      list={LIST}
      {...{ name, index, isReadOnly, count: fields.length }}
      onMove={(from, to) => onChange(moved(fields, from, to))}
    >
      <span className={styles.grow}>{name}</span>
      <CheckControl
        label={t("builder.beginsRow")}
        value={beginsRow || index === 0}
        isReadOnly={isReadOnly || index === 0}
        onChange={(isOn) => begin(index, isOn)}
      />
    </OrderedRow>
  ));
}

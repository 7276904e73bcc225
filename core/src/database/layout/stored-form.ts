import { isScalarKind, SCALAR_TRAITS } from "../../schema/attribute.js";
import type { Attribute, RelationAttribute, ScalarAttribute } from "../../schema/model.js";
import { isRelation } from "./link-keys.js";

/** A column: its name, and its type as PostgreSQL prints it (`format_type`). */
export interface ColumnSpec {
  readonly name: string;
  readonly type: string;
}

/**
 * How an attribute is stored, as far as the tables cannot say it: kept in the snapshot, and compared with the model
 * at the next start. Different forms hold different data, even when their columns look the same.
 */
export interface StoredAttribute {
  /** `value`, `relation <uid>`, `relations <uid>`, `component <uid>`, `components <uid>` or `zone`. */
  readonly form: string;
  /** Columns in the content-type's table; none for what is in the link table. */
  readonly columns: readonly ColumnSpec[];
}

/** PostgreSQL's own names of the column types that are written short in SCALAR_TRAITS. */
const PRINTED_TYPES: Readonly<Record<string, string>> = {
  int4: "integer",
  int8: "bigint",
  float8: "double precision",
  bool: "boolean",
  "timestamptz(3)": "timestamp(3) with time zone",
  "time(3)": "time(3) without time zone",
};

/** How a content-type's attribute is stored; undefined for what lives on the other side or in other rows. */
export function storedForm(attribute: Attribute): StoredAttribute | undefined {
  if (isRelation(attribute)) return relationForm(attribute);
  if (attribute.kind === "component") {
    return {
      form: `${attribute.repeatable ? "components" : "component"} ${attribute.component}`,
      columns: [jsonColumn(attribute)],
    };
  }
  if (attribute.kind === "dynamiczone") return { form: "zone", columns: [jsonColumn(attribute)] };
  return { form: "value", columns: [{ name: attribute.column, type: printedType(attribute) }] };
}

/** How a component's attribute is stored inside the jsonb: the form, with the column type for values. */
export function embeddedForm(attribute: Attribute): string {
  if (isScalarKind(attribute.kind)) return `value ${printedType(attribute as ScalarAttribute)}`;
  if (isRelation(attribute)) {
    return `${attribute.isMany ? "relations" : "relation"} ${attribute.target ?? "*"}`;
  }
  return storedForm(attribute)?.form ?? "";
}

/** @source core/src/database/layout/layout.ts, the position column orders the inverse list of a two-way relation */
function relationForm(relation: RelationAttribute): StoredAttribute | undefined {
  const target = relation.target ?? "*";
  if (relation.storage === "links") return { form: `relations ${target}`, columns: [] };
  if (relation.storage !== "column" || relation.column === undefined) return undefined;
  const columns = [{ name: relation.column, type: "text" }];
  if (relation.isPolymorphic) columns.push({ name: `${relation.column}_type`, type: "text" });
  else if (relation.inversedBy !== undefined)
    columns.push({ name: `${relation.column}_position`, type: "double precision" });
  return { form: `relation ${target}`, columns };
}

function printedType(attribute: ScalarAttribute): string {
  const { columnType } = SCALAR_TRAITS[attribute.kind];
  return PRINTED_TYPES[columnType] ?? columnType;
}

const jsonColumn = ({ column }: { readonly column: string }): ColumnSpec => ({ name: column, type: "jsonb" });

import { isScalarKind, SCALAR_TRAITS } from "../../schema/attribute.js";
import type {
  Attribute,
  ContentModel,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
  Shape,
} from "../../schema/model.js";
import { identifier } from "../sql/sql.js";
import { type IndexSpec, linkIndexes, objectName, tableIndexes } from "./index-spec.js";
import { isRelation, linkKeys } from "./layout.js";

/** How a content-type is to be stored. */
export interface TableSpec {
  readonly type: ContentType;
  readonly table: string;
  readonly attributes: ReadonlyMap<string, StoredAttribute>;
  /** Name of the link table; undefined when nothing needs one. */
  readonly links: string | undefined;
  readonly linkKeys: readonly string[];
  readonly indexes: readonly IndexSpec[];
}

/** The tables that a content model asks for, in its order. */
export function buildTables(model: ContentModel): readonly TableSpec[] {
  return [...model.contentTypes.values()].map((type) => {
    const keys = linkKeys(model, type);
    const links = keys.length > 0 ? linkTableName(type.table) : undefined;
    const forms = [...type.attributes.values()].map((attribute) => [attribute.name, storedForm(attribute)] as const);
    return {
      type,
      table: type.table,
      attributes: new Map(forms.filter((entry): entry is [string, StoredAttribute] => entry[1] !== undefined)),
      links,
      linkKeys: keys,
      indexes: [...tableIndexes(model, type), ...(links ? linkIndexes(links) : [])],
    };
  });
}

/** `articles_links`. */
const linkTableName = (table: string): string => objectName(table, "links");

/**
 * The statement that makes a content-type's table, without its indexes.
 *
 * @source core/decisions/0001-relations-by-document-id.md
 */
export function createTableSql({ table, attributes }: TableSpec): string {
  const columns = [
    "id bigint generated always as identity primary key",
    "document_id text not null",
    "locale text not null default ''",
    "published_at timestamptz(3)",
    "created_at timestamptz(3) not null default current_timestamp",
    "updated_at timestamptz(3) not null default current_timestamp",
    "created_by_id bigint",
    "updated_by_id bigint",
    ...[...attributes.values()]
      .flatMap(({ columns }) => columns)
      .map(({ name, type }) => `${identifier(name)} ${type}`),
  ];
  return `create table ${identifier(table)} (${columns.join(", ")})`;
}

/** The statement that makes a link table, without its indexes. @source core/src/database/layout/layout.ts */
export function createLinksSql(links: string, table: string): string {
  const columns = [
    `source bigint not null references ${identifier(table)} (id) on delete cascade`,
    "attribute smallint not null",
    "target text not null",
    "target_type text not null default ''",
    "position double precision not null",
    "inverse_position double precision",
  ];
  return `create table ${identifier(links)} (${columns.join(", ")})`;
}

/** Columns that the table of every content-type has. */
const ROW_COLUMNS = [
  ...["id", "document_id", "locale", "published_at", "created_at", "updated_at"],
  ...["created_by_id", "updated_by_id"],
];

/** The columns that the model knows of a content-type's table. */
export function rowColumnsOf({ attributes }: TableSpec): ReadonlySet<string> {
  return new Set([
    ...ROW_COLUMNS,
    ...[...attributes.values()].flatMap(({ columns }) => columns.map(({ name }) => name)),
  ]);
}

/** The statement that makes an index of a table. */
export function createIndexSql(table: string, { name, isUnique, on }: IndexSpec): string {
  return `create ${isUnique ? "unique " : ""}index ${identifier(name)} on ${identifier(table)} ${on}`;
}

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
function storedForm(attribute: Attribute): StoredAttribute | undefined {
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

/** Whether a component, or a content-type with components, has an attribute of a form. */
export function hasForm(shape: Shape | undefined, name: string, form: string): boolean {
  const attribute = shape?.attributes.get(name);
  return attribute !== undefined && embeddedForm(attribute) === form;
}

/** Whether an attribute of a form holds components, of its own uid in zones. */
export const holdsComponents = (form: string): boolean => form === "zone" || /^components? /.test(form);

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

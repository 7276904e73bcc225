import { createHash } from "node:crypto";
import { isScalarKind, SCALAR_TRAITS } from "../../schema/attribute.js";
import { isOrderable } from "../../schema/build-indexes.js";
import type {
  ComponentAttribute,
  ContentModel,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
} from "../../schema/model.js";
import { identifier, literal } from "../sql/sql.js";
import { isRelation } from "./layout.js";

/** An index. `on` is what follows its table's name: `using hash ("slug")`. */
export interface IndexSpec {
  readonly name: string;
  readonly isUnique: boolean;
  readonly on: string;
  /** Whether a publication names the rows of the table by it: a table without primary key cannot lose rows otherwise. */
  readonly isIdentity?: boolean;
}

/** The statement that lets a publication name the rows of a table by a unique index, whose columns are never null. */
export const identitySql = (table: string, index: string): string =>
  `alter table ${identifier(table)} replica identity using index ${identifier(index)}`;

/** What an index is, to compare it with what it was. */
export const describeIndex = ({ isUnique, on }: IndexSpec): string => `${isUnique ? "unique " : ""}${on}`;

/**
 * PostgreSQL cuts longer names.
 *
 * @source https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
 */
const NAME_BYTES = 63;
const PUBLISHED = "where published_at is not null";
const DRAFT = "where published_at is null";

/** Name of the index that keeps a unique attribute unique. */
const uniqueIndexName = (table: string, column: string): string => objectName(table, column, "unique");

/** Name of the index that lets one document at most hold the target of a one-to-one. */
const holderIndexName = (table: string, column: string): string => objectName(table, column, "holder");

/** Joins parts to a name of at most 63 bytes; longer ones end in a hash of all of it. */
export function objectName(...parts: readonly string[]): string {
  const name = parts.join("_");
  if (Buffer.byteLength(name) <= NAME_BYTES) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 10);
  return `${name.slice(0, NAME_BYTES - hash.length - 1)}_${hash}`;
}

/** All indexes of a content-type's table. */
export function tableIndexes(model: ContentModel, type: ContentType): readonly IndexSpec[] {
  const { table } = type;
  const of = [...type.attributes.values()].flatMap((attribute) => {
    if (isRelation(attribute)) return relationIndexes(table, attribute);
    if (attribute.kind === "component") return componentIndexes(model, table, attribute);
    return attribute.kind === "dynamiczone" ? [] : scalarIndexes(type, attribute);
  });
  return [
    { name: objectName(table, "version_unique"), isUnique: true, on: "(document_id, locale, (published_at is null))" },
    ...pageIndexes(type),
    ...authorIndexes(type),
    ...of,
    ...sharedIndexes(type),
  ];
}

/** The indexes of a link table. */
export function linkIndexes(links: string): readonly IndexSpec[] {
  return [
    {
      name: objectName(links, "link_unique"),
      isUnique: true,
      on: "(source, attribute, target_type, target)",
      isIdentity: true,
    },
    { name: objectName(links, "target"), isUnique: false, on: "(target, attribute, source)" },
  ];
}

/** Lists by row id. Where all rows of the table are of one kind, the primary key has them in order. */
function pageIndexes(type: ContentType): IndexSpec[] {
  return type.hasDrafts || type.isLocalized ? orderedIndexes(type, "page", []) : [];
}

/**
 * Reads a list in the order of some columns, then of row id. A list says which locale and which version it is of only where
 * the type knows several, and PostgreSQL follows an index only where the list says all that the index asks for.
 */
function orderedIndexes(
  { table, isLocalized, hasDrafts }: ContentType,
  name: string,
  columns: readonly string[],
): IndexSpec[] {
  const on = `(${[...(isLocalized ? ["locale"] : []), ...columns, "id"].join(", ")})`;
  if (!hasDrafts) return [{ name: objectName(table, name), isUnique: false, on }];
  return [
    { name: objectName(table, name), isUnique: false, on: `${on} ${PUBLISHED}` },
    { name: objectName(table, name, "draft"), isUnique: false, on: `${on} ${DRAFT}` },
  ];
}

/**
 * Lists what somebody made, by row id: drafts, where there are any. Rows that have no author are not in it, so that writes
 * of the content API pay nothing.
 */
function authorIndexes({ table, isLocalized, hasDrafts, authors }: ContentType): IndexSpec[] {
  const column = authors.get("createdBy")?.column;
  if (column === undefined) return [];
  const columns = [...(isLocalized ? ["locale"] : []), column, "id"];
  const on = `(${columns.join(", ")}) ${hasDrafts ? `${DRAFT} and` : "where"} ${column} is not null`;
  return [{ name: objectName(table, "author"), isUnique: false, on }];
}

function scalarIndexes(type: ContentType, attribute: ScalarAttribute): IndexSpec[] {
  const { table } = type;
  const column = identifier(attribute.column);
  const indexes: IndexSpec[] = [];
  if (attribute.unique || attribute.kind === "uid") {
    indexes.push({ name: uniqueIndexName(table, attribute.column), isUnique: true, on: uniqueColumns(attribute) });
  }
  // Neither the hash that keeps texts unique nor a btree that a long text would not fit into answers what a text equals.
  const isUniqueText = isText(attribute) && (attribute.unique || attribute.kind === "uid");
  const isIndexedText = attribute.index && !isOrderable(attribute);
  if (isUniqueText || isIndexedText)
    indexes.push({
      name: objectName(table, attribute.column, "lookup"),
      isUnique: false,
      on: `using hash (${column})`,
    });
  if (hasOrderedIndex(attribute)) indexes.push(...orderedIndexes(type, `${attribute.column}_index`, [column]));
  return indexes;
}

/** Lists that are filtered by some attributes and sorted by the next one: `indexes` of the schema file. */
function sharedIndexes(type: ContentType): IndexSpec[] {
  return type.indexes.flatMap((columns) => orderedIndexes(type, `${columns.join("_")}_index`, columns.map(identifier)));
}

/**
 * Texts by their hash: a value of any length fits. Empty texts may repeat, as nulls do.
 *
 * @source plugins/content-api/WIRE.md#unique-values
 */
function uniqueColumns(attribute: ScalarAttribute): string {
  const column = identifier(attribute.column);
  const present = `${PUBLISHED} and ${column} is not null`;
  return isText(attribute)
    ? `(md5(${column}), locale) ${present} and ${column} <> ''`
    : `(${column}, locale) ${present}`;
}

/** Whether an attribute has indexes that read the rows of a locale, published or drafts, in its order. */
export function hasOrderedIndex(attribute: ScalarAttribute): boolean {
  return attribute.index && isOrderable(attribute);
}

const isText = ({ kind }: ScalarAttribute): boolean => SCALAR_TRAITS[kind].columnType === "text";

/** Inverse reads and deletions look a target up. */
function relationIndexes(table: string, { column, storage, isExclusive }: RelationAttribute): IndexSpec[] {
  if (storage !== "column" || column === undefined) return [];
  const name = identifier(column);
  const lookup = { name: objectName(table, column, "target"), isUnique: false, on: `(${name})` };
  if (!isExclusive) return [lookup];
  return [
    lookup,
    {
      name: holderIndexName(table, column),
      isUnique: true,
      on: `(${name}, locale, (published_at is null)) where ${name} is not null`,
    },
  ];
}

/** Casts that an index may contain; those to dates depend on settings of the session. */
const IMMUTABLE_CASTS = new Set(["text", "int4", "int8", "float8", "numeric", "bool"]);

/** Attributes that a single component marks with `index`: one index on the same expression that filters use. */
function componentIndexes(model: ContentModel, table: string, holder: ComponentAttribute): IndexSpec[] {
  const component = holder.repeatable ? undefined : model.components.get(holder.component);
  return [...(component?.attributes.values() ?? [])].flatMap((attribute) => {
    if (!isScalarKind(attribute.kind) || !(attribute as ScalarAttribute).index) return [];
    const { cast, fromJson } = SCALAR_TRAITS[attribute.kind];
    if (!IMMUTABLE_CASTS.has(cast)) return [];
    const value = fromJson(identifier(holder.column), literal(attribute.name));
    const on = isOrderable(attribute as ScalarAttribute) ? `((${value}))` : `using hash ((${value}))`;
    return [{ name: objectName(table, holder.column, attribute.name, "index"), isUnique: false, on }];
  });
}

import { identifier } from "../sql/sql.js";
import type { Attribute, RelationAttribute } from "../../schema/model.js";

/** Columns of a row that hold an attribute; none for what lives in link tables or on the other side. */
export function columnsOf(attribute: Attribute): readonly string[] {
  return "storage" in attribute ? relationColumns(attribute) : [attribute.column];
}

/** The columns of a to-one relation: target, its type where polymorphic, its place in the inverse list where there is one. */
export function relationColumns(relation: RelationAttribute): readonly string[] {
  if (relation.storage !== "column" || relation.column === undefined) return [];
  return [relation.column, ...typeColumn(relation), ...positionColumn(relation)];
}

/** Name of the column for the target's type, as a list of one or none. */
export const typeColumn = (relation: RelationAttribute): readonly string[] =>
  relation.isPolymorphic ? [`${relation.column}_type`] : [];

/** Name of the column for the place in the inverse list, as a list of one or none. */
export const positionColumn = (relation: RelationAttribute): readonly string[] =>
  relation.inversedBy !== undefined && !relation.isPolymorphic ? [`${relation.column}_position`] : [];

/** `"a", "b"`, or `s."a", s."b"` with an alias. */
export function columnList(columns: readonly string[], alias?: string): string {
  return columns.map((column) => (alias ? `${alias}.${identifier(column)}` : identifier(column))).join(", ");
}

/** `"a" = s."a", "b" = s."b"`: takes the values of the row `alias` over. */
export function assignments(columns: readonly string[], alias: string): string {
  return columns.map((column) => `${identifier(column)} = ${alias}.${identifier(column)}`).join(", ");
}

/**
 * SQL of a text that changes whenever a row is written, by any statement: its id and the transaction that wrote it
 * last. A time would not do: a discarded draft takes an earlier one back, and values from another locale leave it alone.
 */
export function rowStamp(alias: string): string {
  return `${alias}.id::text || ':' || ${alias}.xmin::text`;
}

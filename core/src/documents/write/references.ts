import { identifier, literal } from "../../database/compiler/sql.js";
import type { Layout, TableLayout } from "../../database/layout.js";
import { isRelation } from "../../database/sync/link-keys.js";
import type { Attribute, ContentType, RelationAttribute } from "../../schema/model.js";
import { relationColumns } from "./columns.js";

/**
 * The statement that clears whatever points to a document (`$1`) of a type: to-one columns, link rows, and the rows
 * derived from components. Columns of one table are cleared in one update, because PostgreSQL changes a row only once
 * per statement. What components hold stays as a dangling id: reads join, so it shows nothing.
 */
export function planForget(layout: Layout, type: ContentType): string | undefined {
  const parts = [...layout.tables.values()].flatMap((table) => [
    ...clearColumns(table, type),
    ...clearLinks(layout, table, type),
  ]);
  if (parts.length === 0) return undefined;
  return `with ${parts.map((part, index) => `p${index} as (${part})`).join(", ")} select 1`;
}

function clearColumns(table: TableLayout, target: ContentType): readonly string[] {
  const pointing = [...table.type.attributes.values()].filter(
    (attribute) => isPointer(attribute, target) && attribute.storage === "column",
  ) as RelationAttribute[];
  if (pointing.length === 0) return [];
  const tests = new Map(pointing.map((relation) => [relation, pointsTo(relation, target)]));
  const cleared = pointing.flatMap((relation) =>
    relationColumns(relation).map(
      (column) => `${identifier(column)} = case when ${tests.get(relation)} then null else ${identifier(column)} end`,
    ),
  );
  return [`update ${identifier(table.table)} set ${cleared.join(", ")} where ${[...tests.values()].join(" or ")}`];
}

function pointsTo(relation: RelationAttribute, target: ContentType): string {
  const column = `${identifier(relation.column ?? "")} = $1`;
  return relation.isPolymorphic
    ? `(${column} and ${identifier(`${relation.column}_type`)} = ${literal(target.uid)})`
    : column;
}

function clearLinks(layout: Layout, table: TableLayout, target: ContentType): readonly string[] {
  if (table.links === undefined) return [];
  const pointing = [...table.codes].flatMap(([key, code]) => {
    const relation = relationOfKey(layout, table, key);
    return relation && isPointer(relation, target) ? [{ code, type: relation.isPolymorphic ? target.uid : "" }] : [];
  });
  if (pointing.length === 0) return [];
  const tests = pointing.map(({ code, type }) => `(attribute = ${code} and target_type = ${literal(type)})`);
  return [`delete from ${identifier(table.links)} where target = $1 and (${tests.join(" or ")})`];
}

/** The relation that a link key stands for; undefined for codes kept of attributes that are gone. */
function relationOfKey(layout: Layout, table: TableLayout, key: string): RelationAttribute | undefined {
  const [component, attribute] = key.split("#");
  const found =
    attribute === undefined
      ? table.type.attributes.get(key)
      : layout.model.components.get(component ?? "")?.attributes.get(attribute);
  return found && isRelation(found) ? found : undefined;
}

const isPointer = (attribute: Attribute, target: ContentType): attribute is RelationAttribute =>
  isRelation(attribute) &&
  attribute.storage !== "inverse" &&
  attribute.storage !== "locales" &&
  (attribute.isPolymorphic || attribute.target === target.uid);

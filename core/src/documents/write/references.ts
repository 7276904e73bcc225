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

/**
 * The statement that lists what points to a document (`$1`) of a type, in columns `uid`, `documentId`, `field`, `status`
 * and `locale`; undefined where nothing can. What components no longer hold, though the derived row of it is left, is
 * listed too.
 */
export function planUses(layout: Layout, type: ContentType): string | undefined {
  const parts = [...layout.tables.values()].flatMap((table) => [
    ...pointingColumns(table, type).map((relation) => listColumn(table, type, relation)),
    ...pointingCodes(layout, table, type).map((pointing) => listLinks(table, pointing)),
  ]);
  if (parts.length === 0) return undefined;
  return `${parts.join(" union all ")} order by uid, "documentId", locale, status, field`;
}

function listColumn(table: TableLayout, target: ContentType, relation: RelationAttribute): string {
  return `${useOf(table, relation.name)} from ${identifier(table.table)} t where ${pointsTo(relation, target)}`;
}

function listLinks(table: TableLayout, { key, code, type }: PointingCode): string {
  const links = `${identifier(table.links ?? "")} l join ${identifier(table.table)} t on t.id = l.source`;
  return `${useOf(table, key)} from ${links} where l.target = $1 and l.attribute = ${code} and l.target_type = ${literal(type)}`;
}

function useOf({ type }: TableLayout, field: string): string {
  const status = `case when t.published_at is null then 'draft' else 'published' end`;
  return `select ${literal(type.uid)} as uid, t.document_id as "documentId", ${literal(field)} as field, ${status} as status, t.locale as locale`;
}

function clearColumns(table: TableLayout, target: ContentType): readonly string[] {
  const pointing = pointingColumns(table, target);
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
  const pointing = pointingCodes(layout, table, target);
  if (table.links === undefined || pointing.length === 0) return [];
  const tests = pointing.map(({ code, type }) => `(attribute = ${code} and target_type = ${literal(type)})`);
  return [`delete from ${identifier(table.links)} where target = $1 and (${tests.join(" or ")})`];
}

function pointingColumns({ type }: TableLayout, target: ContentType): readonly RelationAttribute[] {
  return [...type.attributes.values()].filter(
    (attribute): attribute is RelationAttribute => isPointer(attribute, target) && attribute.storage === "column",
  );
}

/** Rows of a link table that can point to a type. */
interface PointingCode {
  readonly key: string;
  readonly code: number;
  /** Of the target, where it is kept beside it. */
  readonly type: string;
}

function pointingCodes(layout: Layout, table: TableLayout, target: ContentType): readonly PointingCode[] {
  if (table.links === undefined) return [];
  return [...table.codes].flatMap(([key, code]) => {
    const relation = relationOfKey(layout, table, key);
    const points = relation && isPointer(relation, target);
    return points ? [{ key, code, type: relation.isPolymorphic ? target.uid : "" }] : [];
  });
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

import { identifier, literal } from "../sql/sql.js";
import { type Layout, relationColumns, type TableLayout } from "../layout/layout.js";
import { type LinkPointer, type Pointers, pointersTo } from "../layout/pointers.js";
import type { ContentType, RelationAttribute } from "../../schema/model.js";

/**
 * The statement that clears all that points to a document (`$1`) of a type: to-one columns, link rows, and the rows
 * derived from components. Columns of one table are cleared in one update, because PostgreSQL changes a row only once
 * per statement. What components hold stays as a dangling id: reads join, so it shows nothing.
 */
export function deleteReferencesSql(layout: Layout, type: ContentType): string | undefined {
  const parts = pointersTo(layout, type).flatMap((pointers) => [
    ...clearColumns(pointers, type),
    ...clearLinks(pointers, type),
  ]);
  if (parts.length === 0) return undefined;
  return `with ${parts.map((part, index) => `p${index} as (${part})`).join(", ")} select 1`;
}

/**
 * The statements that lock all rows of the documents that point to a document (`$1`) of a type, in the order of their ids.
 * What one of them copies meanwhile, as publishing does, would point to it afterwards.
 */
export function planHolderLocks(layout: Layout, type: ContentType): readonly string[] {
  return pointersTo(layout, type).map(({ table, columns, links }) => {
    const name = identifier(table.table);
    const holders: string[] = [];
    if (columns.length > 0)
      holders.push(
        `select document_id from ${name} where ${columns.map((relation) => pointsTo(relation, type)).join(" or ")}`,
      );
    if (table.links !== undefined && links.length > 0)
      holders.push(
        `select t.document_id from ${identifier(table.links)} l join ${name} t on t.id = l.source where ${linksTo(links, type)}`,
      );
    return `select h.id from ${name} h where h.document_id in (${holders.join(" union ")}) order by h.id for no key update of h`;
  });
}

/**
 * The statement that lists what points to a document (`$1`) of a type, in columns `uid`, `documentId`, `field`, `status`
 * and `locale`; undefined where nothing can. What components no longer hold, though the derived row of it is left, is
 * listed too. By each attribute there are at most `$2`, null for all: a document can have a million links.
 */
export function findUsagesSql(layout: Layout, type: ContentType): string | undefined {
  const parts = pointersTo(layout, type).flatMap(({ table, columns, links }) => [
    ...columns.map((relation) => listColumn(table, type, relation)),
    ...links.map((link) => listLinks(table, type, link)),
  ]);
  if (parts.length === 0) return undefined;
  const limited = parts.map((part) => `(${part} limit $2::bigint)`);
  return `${limited.join(" union all ")} order by uid, "documentId", locale, status, field`;
}

function listColumn(table: TableLayout, target: ContentType, relation: RelationAttribute): string {
  return `${useOf(table, relation.name)} from ${identifier(table.table)} t where ${pointsTo(relation, target)}`;
}

function listLinks(table: TableLayout, target: ContentType, { key, code, relation }: LinkPointer): string {
  const links = `${identifier(table.links ?? "")} l join ${identifier(table.table)} t on t.id = l.source`;
  return `${useOf(table, key)} from ${links} where l.target = $1 and l.attribute = ${code} and l.target_type = ${storedType(relation, target)}`;
}

function useOf({ type }: TableLayout, field: string): string {
  const status = `case when t.published_at is null then 'draft' else 'published' end`;
  return `select ${literal(type.uid)} as uid, t.document_id as "documentId", ${literal(field)} as field, ${status} as status, t.locale as locale`;
}

function clearColumns({ table, columns }: Pointers, target: ContentType): readonly string[] {
  if (columns.length === 0) return [];
  const tests = new Map(columns.map((relation) => [relation, pointsTo(relation, target)]));
  const cleared = columns.flatMap((relation) =>
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

function clearLinks({ table, links }: Pointers, target: ContentType): readonly string[] {
  if (table.links === undefined || links.length === 0) return [];
  return [`delete from ${identifier(table.links)} where ${linksTo(links, target)}`];
}

function linksTo(links: readonly LinkPointer[], target: ContentType): string {
  const tests = links.map(
    ({ code, relation }) => `(attribute = ${code} and target_type = ${storedType(relation, target)})`,
  );
  return `target = $1 and (${tests.join(" or ")})`;
}

/** The target's type as link rows keep it. */
const storedType = (relation: RelationAttribute, target: ContentType): string =>
  literal(relation.isPolymorphic ? target.uid : "");

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
 * listed too.
 */
export function planUses(layout: Layout, type: ContentType): string | undefined {
  const parts = pointersTo(layout, type).flatMap(({ table, columns, links }) => [
    ...columns.map((relation) => listColumn(table, type, relation)),
    ...links.map((link) => listLinks(table, type, link)),
  ]);
  if (parts.length === 0) return undefined;
  return `${parts.join(" union all ")} order by uid, "documentId", locale, status, field`;
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

/** What of one table can point to a type. */
interface Pointers {
  readonly table: TableLayout;
  /** Relations that are columns. */
  readonly columns: readonly RelationAttribute[];
  readonly links: readonly LinkPointer[];
}

/** Rows of a link table that can point to a type. */
interface LinkPointer {
  readonly key: string;
  readonly code: number;
  readonly relation: RelationAttribute;
}

/** Every content-type asks for what points to it, and there may be many: each layout is read once. */
const pointersOfLayouts = new WeakMap<Layout, ReadonlyMap<string, readonly Pointers[]>>();

/** Stands for all types, as the target of polymorphic relations. */
const ANY = "";

function pointersTo(layout: Layout, target: ContentType): readonly Pointers[] {
  let known = pointersOfLayouts.get(layout);
  if (!known) {
    known = collectPointers(layout);
    pointersOfLayouts.set(layout, known);
  }
  const own = known.get(target.uid) ?? [];
  const polymorphic = known.get(ANY) ?? [];
  return polymorphic.length === 0 ? own : joinByTable([...own, ...polymorphic]);
}

function collectPointers(layout: Layout): ReadonlyMap<string, readonly Pointers[]> {
  const found = new Map<string, Pointers[]>();
  const add = (relation: RelationAttribute, pointers: Pointers): void => {
    const target = relation.isPolymorphic ? ANY : (relation.target ?? ANY);
    found.set(target, [...(found.get(target) ?? []), pointers]);
  };
  for (const table of layout.tables.values()) {
    for (const relation of [...table.type.attributes.values()].filter(isPointer))
      if (relation.storage === "column") add(relation, { table, columns: [relation], links: [] });
    for (const [key, code] of table.links === undefined ? [] : table.codes) {
      const relation = relationOfKey(layout, table, key);
      if (relation) add(relation, { table, columns: [], links: [{ key, code, relation }] });
    }
  }
  return new Map([...found].map(([target, pointers]) => [target, joinByTable(pointers)]));
}

function joinByTable(pointers: readonly Pointers[]): readonly Pointers[] {
  const joined = new Map<TableLayout, Pointers>();
  for (const { table, columns, links } of pointers) {
    const before = joined.get(table);
    joined.set(table, {
      table,
      columns: [...(before?.columns ?? []), ...columns],
      links: [...(before?.links ?? []), ...links],
    });
  }
  return [...joined.values()];
}

/** The relation that a link key stands for; undefined for codes kept of attributes that are gone. */
function relationOfKey(layout: Layout, table: TableLayout, key: string): RelationAttribute | undefined {
  const [component, attribute] = key.split("#");
  const found =
    attribute === undefined
      ? table.type.attributes.get(key)
      : layout.model.components.get(component ?? "")?.attributes.get(attribute);
  return found && isPointer(found) ? found : undefined;
}

const isPointer = (attribute: Attribute): attribute is RelationAttribute =>
  isRelation(attribute) && attribute.storage !== "inverse" && attribute.storage !== "locales";

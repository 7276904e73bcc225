import type { Attribute, ContentType, RelationAttribute } from "../../schema/model.js";
import { isRelation, type Layout, type TableLayout } from "./layout.js";

/** What of one table can point to a type. */
export interface Pointers {
  readonly table: TableLayout;
  /** Relations that are columns. */
  readonly columns: readonly RelationAttribute[];
  readonly links: readonly LinkPointer[];
}

/** Rows of a link table that can point to a type. */
export interface LinkPointer {
  readonly key: string;
  readonly code: number;
  readonly relation: RelationAttribute;
}

/** Every content-type asks for what points to it, and there may be many: each layout is read once. */
const pointersOfLayouts = new WeakMap<Layout, ReadonlyMap<string, readonly Pointers[]>>();

/** Stands for all types, as the target of polymorphic relations. */
const ANY = "";

/** What of all tables can point to documents of a type, each table once. */
export function pointersTo(layout: Layout, target: ContentType): readonly Pointers[] {
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
  isRelation(attribute) && ["column", "links", "embedded"].includes(attribute.storage);

import type { Attribute, ContentModel, ContentType, RelationAttribute, Shape } from "../../schema/model.js";
import { LayoutMissingError } from "../errors.js";
import { identifier } from "../sql/sql.js";
import type { Carried } from "./carried.js";

/**
 * How the content model is stored in the database: table names and the small codes of attributes in link tables.
 * Codes are assigned by the synchronisation and kept forever, so a new attribute never renumbers the old ones.
 *
 * Link table `<table>_links` of a content-type, one row a link:
 * source bigint (row id of the owner), attribute smallint (code), target text (document id), target_type text
 * (uid, '' unless polymorphic), position float8 (owner's order), inverse_position float8 (order seen from the target).
 * Unique (source, attribute, target_type, target); index (target, attribute, source).
 *
 * Relations and media inside components live in the jsonb; rows with their code are derived from it for deletion
 * and "where used", and are never read to show content.
 */
export interface TableLayout {
  readonly type: ContentType;
  readonly table: string;
  /** Undefined when the type has nothing that needs links. */
  readonly links: string | undefined;
  /** By link key: an attribute name (`categories`), or `<component uid>#<attribute>` for what components hold. */
  readonly codes: ReadonlyMap<string, number>;
}

/** The model with the place of each content-type. */
export interface Layout {
  readonly model: ContentModel;
  readonly tables: ReadonlyMap<string, TableLayout>;
  /** What the tables hold beyond the model; undefined where nothing else writes them. */
  readonly carried?: Carried;
  /** Whether no triggers count, so that who writes notes changes along with it; see noted-changes.ts. */
  readonly countsAlong?: boolean;
}

/** The table of a content-type. @throws PLINTH_LAYOUT_MISSING (500) details `{ uid }` */
export function tableOf(layout: Layout, uid: string): TableLayout {
  const table = layout.tables.get(uid);
  if (!table) throw new LayoutMissingError({ uid, what: "table" });
  return table;
}

/** The uids of the content-types that some tables belong to, those of links included. */
export function typesOfTables({ tables }: Layout, names: readonly string[]): readonly string[] {
  const isNamed = ({ table, links }: TableLayout) =>
    names.includes(table) || (links !== undefined && names.includes(links));
  return [...tables.values()].filter(isNamed).map(({ type }) => type.uid);
}

/** The code of an attribute in its link table. @throws PLINTH_LAYOUT_MISSING (500) */
export function linkCode(table: TableLayout, key: string): number {
  const code = table.codes.get(key);
  if (code === undefined) throw new LayoutMissingError({ uid: table.type.uid, what: `link code of "${key}"` });
  return code;
}

/**
 * What needs a code in a content-type's link table: its to-many attributes, and `<component uid>#<attribute>` for
 * relations and media that its components can hold, nested ones included.
 */
export function linkKeys(model: ContentModel, type: ContentType): readonly string[] {
  const own = [...type.attributes.values()].filter((a) => isRelation(a) && a.storage === "links").map((a) => a.name);
  const embedded = [...componentsIn(model, type)].flatMap((component) =>
    [...component.attributes.values()].filter(isRelation).map((attribute) => `${component.uid}#${attribute.name}`),
  );
  return [...own, ...embedded];
}

/** The components that a shape can hold at any depth, each once. */
export function componentsIn(model: ContentModel, shape: Shape): ReadonlySet<Shape> {
  const found = new Set<Shape>();
  const visit = (holder: Shape): void => {
    for (const uid of [...holder.attributes.values()].flatMap(componentUids)) {
      const component = model.components.get(uid);
      if (!component || found.has(component)) continue;
      found.add(component);
      visit(component);
    }
  };
  visit(shape);
  return found;
}

/** Uids of the components that one attribute can hold. */
export function componentUids(attribute: Attribute): readonly string[] {
  if (attribute.kind === "component") return [attribute.component];
  return attribute.kind === "dynamiczone" ? attribute.components : [];
}

/** Whether an attribute links to documents; media is one. */
export function isRelation(attribute: Attribute): attribute is RelationAttribute {
  return attribute.kind === "relation" || attribute.kind === "media";
}

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

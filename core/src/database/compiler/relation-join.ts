import { type ContentType, FILE_TYPE, type RelationAttribute } from "../../schema/model.js";
import { UncompilableError } from "../errors.js";
import { type Layout, linkCode, tableOf } from "../layout.js";
import { DEFAULT_LOCALE_SLOT, type Status } from "../query.js";
import { attributeOf, type RowSource, tableRow } from "./row-source.js";
import { allOf, identifier, literal, type SqlWriter } from "./sql.js";

/** What a statement has at hand while it is compiled. */
export interface Compilation {
  readonly layout: Layout;
  readonly writer: SqlWriter;
  readonly status: Status;
}

/**
 * Where in the statement we are: the row at hand, and the SQL of the locale that related documents are read in
 * (the enclosing row's own locale, or the default one).
 */
export interface Scope {
  readonly row: RowSource;
  /** Asked for only where it is used, because it may need a parameter. */
  readonly locale: () => string;
}

/** The rows that one relation of the row at hand leads to. */
export interface RelationJoin {
  readonly target: Scope;
  /** `from` without the word: the target's table, after the link table where there is one. */
  readonly from: string;
  readonly where: string;
  /** Order of the links as written; empty on to-one relations. */
  readonly order: readonly string[];
}

/** The scope of a row of a content-type. Types that are not localised hand the default locale on. */
export function tableScope(compilation: Compilation, type: ContentType, alias: string): Scope {
  const own = () => `${alias}.locale`;
  const fallback = () => compilation.writer.parameter(DEFAULT_LOCALE_SLOT, "text");
  return { row: tableRow(type, alias), locale: type.isLocalized ? own : fallback };
}

/** The condition that picks one version of a document: its status and, where localised, its locale. */
export function versionCondition(
  type: ContentType,
  alias: string,
  status: Status,
  locale: (() => string) | undefined,
): string {
  const conditions: string[] = [];
  if (type.hasDrafts) conditions.push(`${alias}.published_at is ${status === "draft" ? "null" : "not null"}`);
  if (type.isLocalized && locale !== undefined) conditions.push(`${alias}.locale = ${locale()}`);
  return allOf(conditions);
}

/** Whether the type that a relation leads to exists; media point to a type that the upload plugin brings. */
export function hasTarget(compilation: Compilation, attribute: RelationAttribute): boolean {
  if (attribute.target === undefined) return false;
  return attribute.target !== FILE_TYPE || compilation.layout.tables.has(FILE_TYPE);
}

/** How to get from the row at hand to what a relation with one target type holds. @throws PLINTH_QUERY_UNCOMPILABLE */
export function joinRelation(compilation: Compilation, scope: Scope, attribute: RelationAttribute): RelationJoin {
  if (attribute.target === undefined) throw new UncompilableError({ uid: scope.row.shape.uid, field: attribute.name });
  const type = tableOf(compilation.layout, attribute.target).type;
  const alias = compilation.writer.alias();
  const path = pathTo(compilation, scope, attribute, { type, alias });
  const table = `${identifier(type.table)} ${alias}`;
  const version = versionCondition(
    type,
    alias,
    compilation.status,
    attribute.storage === "locales" ? undefined : scope.locale,
  );
  return {
    target: tableScope(compilation, type, alias),
    from: path.through ? `${path.through} join ${table} on ${path.on}` : table,
    where: allOf([path.where, version].filter((condition) => condition !== "true")),
    order: attribute.isMany ? path.order : [],
  };
}

interface Target {
  readonly type: ContentType;
  readonly alias: string;
}

interface Path {
  readonly through?: string;
  readonly on?: string;
  readonly where: string;
  readonly order: readonly string[];
}

function pathTo(compilation: Compilation, scope: Scope, attribute: RelationAttribute, target: Target): Path {
  switch (attribute.storage) {
    case "column":
      return { where: `${target.alias}.document_id = ${scope.row.stored(attribute.name)}`, order: [] };
    case "links":
      return throughLinks(compilation, scope, attribute, target);
    case "inverse":
      return fromOtherSide(compilation, scope, attribute, target);
    case "embedded":
      return fromComponent(compilation, scope, attribute, target);
    case "locales":
      return {
        where: `${target.alias}.document_id = ${scope.row.alias}.document_id and ${target.alias}.locale <> ${scope.row.alias}.locale`,
        order: [`${target.alias}.locale`],
      };
  }
}

function throughLinks(compilation: Compilation, scope: Scope, attribute: RelationAttribute, target: Target): Path {
  const owner = tableOf(compilation.layout, scope.row.shape.uid);
  const link = compilation.writer.alias();
  return {
    through: `${identifier(owner.links ?? "")} ${link}`,
    on: `${target.alias}.document_id = ${link}.target`,
    where: `${link}.source = ${scope.row.alias}.id and ${link}.attribute = ${linkCode(owner, attribute.name)}`,
    order: [`${link}.position`, `${target.alias}.id`],
  };
}

function fromOtherSide(compilation: Compilation, scope: Scope, attribute: RelationAttribute, target: Target): Path {
  const owning = attributeOf(target.type, attribute.mappedBy ?? "") as RelationAttribute;
  const self = literal(scope.row.shape.uid);
  const document = `${scope.row.alias}.document_id`;
  if (owning.storage === "column") {
    const column = `${target.alias}.${identifier(owning.column ?? "")}`;
    const morph = owning.isPolymorphic ? ` and ${target.alias}.${identifier(`${owning.column}_type`)} = ${self}` : "";
    const position =
      owning.inversedBy && !owning.isPolymorphic ? [`${target.alias}.${identifier(`${owning.column}_position`)}`] : [];
    return { where: `${column} = ${document}${morph}`, order: [...position, `${target.alias}.id`] };
  }
  const table = tableOf(compilation.layout, target.type.uid);
  const link = compilation.writer.alias();
  return {
    through: `${identifier(table.links ?? "")} ${link}`,
    on: `${target.alias}.id = ${link}.source`,
    where: allOf([
      `${link}.target = ${document}`,
      `${link}.attribute = ${linkCode(table, owning.name)}`,
      ...(owning.isPolymorphic ? [`${link}.target_type = ${self}`] : []),
    ]),
    order: [`${link}.inverse_position`, `${target.alias}.id`],
  };
}

function fromComponent(compilation: Compilation, scope: Scope, attribute: RelationAttribute, target: Target): Path {
  const value = scope.row.stored(attribute.name);
  if (!attribute.isMany) return { where: `${target.alias}.document_id = ${value} #>> '{}'`, order: [] };
  const element = compilation.writer.alias();
  return {
    through: `jsonb_array_elements_text(${jsonList(value)}) with ordinality ${element}(target, position)`,
    on: `${target.alias}.document_id = ${element}.target`,
    where: "true",
    order: [`${element}.position`],
  };
}

/** A jsonb that can be unnested whatever is stored: anything but a list counts as an empty one. */
export function jsonList(value: string): string {
  return `case when jsonb_typeof(${value}) = 'array' then ${value} else '[]'::jsonb end`;
}

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

/** Where in the statement we are. */
export interface Scope {
  /** What is read: a table row, or a component inside of one. */
  readonly row: RowSource;
  /** The table row that is, or holds, what is read. */
  readonly holder: { readonly type: ContentType; readonly alias: string };
  /** The version that the holder is known to be; undefined when it may be either, and on types without drafts. */
  readonly status: Status | undefined;
  /** SQL of the locale that related documents are shown in: the holder's own, or the default one. Made only where used, because it may need a parameter. */
  readonly locale: () => string;
}

/**
 * Why a relation is followed. What is shown is of the status asked for and of one locale. A condition or an order
 * looks at the versions that the holder's version is linked to: those of its own status and locale, or all of them
 * where the holder's type knows no drafts or no locales.
 *
 * @source corpus 03, "articles of an author": a draft counts in a filter on a type without drafts
 */
export type Purpose = "show" | "test";

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
export function tableScope(
  compilation: Compilation,
  type: ContentType,
  alias: string,
  status: Status | undefined,
): Scope {
  const own = () => `${alias}.locale`;
  const fallback = () => compilation.writer.parameter(DEFAULT_LOCALE_SLOT, "text");
  return {
    row: tableRow(type, alias),
    holder: { type, alias },
    status: type.hasDrafts ? status : undefined,
    locale: type.isLocalized ? own : fallback,
  };
}

/** The condition that picks one version of a document: its status and, where localised, its locale. */
export function versionCondition(
  type: ContentType,
  alias: string,
  status: Status | undefined,
  locale: (() => string) | undefined,
): string {
  const conditions: string[] = [];
  if (type.hasDrafts && status) conditions.push(`${alias}.published_at is ${status === "draft" ? "null" : "not null"}`);
  if (type.isLocalized && locale !== undefined) conditions.push(`${alias}.locale = ${locale()}`);
  return allOf(conditions);
}

/** Whether the type that a relation leads to exists; media point to a type that the upload plugin brings. */
export function hasTarget(compilation: Compilation, attribute: RelationAttribute): boolean {
  if (attribute.target === undefined) return false;
  return attribute.target !== FILE_TYPE || compilation.layout.tables.has(FILE_TYPE);
}

/** How to get from the row at hand to what a relation with one target type holds. @throws PLINTH_QUERY_UNCOMPILABLE */
export function joinRelation(
  compilation: Compilation,
  scope: Scope,
  attribute: RelationAttribute,
  purpose: Purpose,
): RelationJoin {
  if (attribute.target === undefined) throw new UncompilableError({ uid: scope.row.shape.uid, field: attribute.name });
  const { type } = tableOf(compilation.layout, attribute.target);
  const alias = compilation.writer.alias();
  const path = pathTo(compilation, scope, attribute, { type, alias });
  const table = `${identifier(type.table)} ${alias}`;
  const version =
    purpose === "show"
      ? shownVersion(compilation, scope, attribute, { type, alias })
      : testedVersion(scope, attribute, { type, alias });
  return {
    target: tableScope(compilation, type, alias, purpose === "show" ? compilation.status : scope.status),
    from: path.through ? `${path.through} join ${table} on ${path.on}` : table,
    where: allOf([path.where, version].filter((condition) => condition !== "true")),
    order: attribute.isMany ? path.order : [],
  };
}

function shownVersion(
  { status }: Compilation,
  scope: Scope,
  { storage }: RelationAttribute,
  { type, alias }: Target,
): string {
  return versionCondition(type, alias, status, storage === "locales" ? undefined : scope.locale);
}

function testedVersion({ holder, status }: Scope, { storage }: RelationAttribute, { type, alias }: Target): string {
  const isSameLocale = holder.type.isLocalized && storage !== "locales";
  const known = versionCondition(
    type,
    alias,
    holder.type.hasDrafts ? status : undefined,
    isSameLocale ? () => `${holder.alias}.locale` : undefined,
  );
  if (!type.hasDrafts || !holder.type.hasDrafts || status) return known;
  const same = `(${alias}.published_at is null) = (${holder.alias}.published_at is null)`;
  return allOf([same, known].filter((condition) => condition !== "true"));
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

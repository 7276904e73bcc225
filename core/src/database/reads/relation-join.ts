import type { ContentType, RelationAttribute } from "../../schema/model.js";
import { UncompilableError } from "../errors.js";
import { type Layout, linkCode, tableOf } from "../layout/layout.js";
import { DEFAULT_LOCALE_SLOT, type Slot, type Status } from "./query.js";
import { firstLocaleSql } from "./locale-chain.js";
import { attributeOf, type RowSource, tableRow } from "./row-source.js";
import { allOf, identifier, literal, newAlias, parameter, readTable } from "../sql/sql.js";

/** The context of a statement while it is compiled. */
export interface Compilation {
  readonly layout: Layout;
  readonly status: Status;
  /** Slots of the locales that stand in for the one asked for; undefined where none does. */
  readonly fallback?: readonly Slot[] | undefined;
  /** Whether the size of the answer is watched while it is made. */
  readonly isWatched?: boolean | undefined;
  /** Keys of the output that lead to what is being compiled. */
  readonly path?: readonly string[];
}

/** Where in the statement we are. */
export interface Scope {
  /** What is read: a table row, or a component inside of one. */
  readonly row: RowSource;
  /** The table row that is, or holds, what is read. */
  readonly holder: { readonly type: ContentType; readonly alias: string };
  /** The version that the holder is known to be; undefined when it may be either, and on types without drafts. */
  readonly status: Status | undefined;
  /**
   * SQL of the locales that related documents are shown in, each in the first one it has: the holder's own, or the
   * default one; with a fallback those that the holder was chosen from.
   */
  readonly locales: readonly string[];
}

/**
 * Why a relation is followed. What is shown is of the status asked for and of one locale. A condition or an order
 * looks at the versions that the holder's version is linked to: those of its own status and locale, or all of them
 * where the holder's type knows no drafts or no locales.
 *
 * @source plugins/content-api/WIRE.md#filters-through-relations, a draft counts in a filter on a type without drafts
 */
export type Purpose = "show" | "test";

/** The rows that one relation of the current row leads to. */
export interface RelationJoin {
  readonly target: Scope;
  /** `from` without the word: the target's table, after the link table where there is one. */
  readonly from: string;
  readonly where: string;
  /** Order of the links as written; of a to-one relation which target comes first, where there may be several. */
  readonly order: readonly string[];
}

/** The scope of a row of a content-type. Types that are not localised hand the default locale on. */
export function tableScope(
  compilation: Compilation,
  type: ContentType,
  alias: string,
  status: Status | undefined,
): Scope {
  const first = type.isLocalized ? `${alias}.locale` : parameter(DEFAULT_LOCALE_SLOT, "text");
  return {
    row: tableRow(type, alias),
    holder: { type, alias },
    status: type.hasDrafts ? status : undefined,
    locales: localeChain(compilation, first),
  };
}

/** A locale and those that stand in for it, each once. */
export function localeChain({ fallback = [] }: Compilation, first: string): readonly string[] {
  return [...new Set([first, ...fallback.map((slot) => parameter(slot, "text"))])];
}

/** Which version of its document a row has to be. */
export interface VersionChoice {
  /** Undefined: either. */
  readonly status: Status | undefined;
  /** SQL of the locales, the first one that the document has; undefined: any. */
  readonly locales: readonly string[] | undefined;
  /** The condition for rows to be visible to the caller; a version that is not visible does not count. */
  readonly isVisible?: ((target: Scope) => string) | undefined;
  /** See firstLocaleSql. */
  readonly isRowByRow?: boolean;
}

/** The condition that picks one version of a document: its status and, where localised, its locale. */
export function versionCondition(
  compilation: Compilation,
  { type, alias }: Target,
  { status, locales, isVisible, isRowByRow = false }: VersionChoice,
): string {
  const conditions: string[] = [];
  const isOf = (row: string) => `${row}.published_at is ${status === "draft" ? "null" : "not null"}`;
  if (type.hasDrafts && status) conditions.push(isOf(alias));
  if (!type.isLocalized || locales === undefined) return allOf(conditions);
  const same = (row: string) =>
    status ? isOf(row) : `(${row}.published_at is null) = (${alias}.published_at is null)`;
  const hasEarlierLocale = (row: string) => [
    ...(type.hasDrafts ? [same(row)] : []),
    ...(isVisible ? [isVisible(tableScope(compilation, type, row, status))] : []),
  ];
  const rows = {
    table: readTable(type.table),
    alias,
    hasEarlierLocale,
    isRowByRow,
  };
  return allOf([...conditions, firstLocaleSql(locales, rows)]);
}

/** Whether the type that a relation leads to exists; an app without a type of files may have media attributes. */
export function hasTarget(compilation: Compilation, attribute: RelationAttribute): boolean {
  return attribute.target !== undefined && compilation.layout.tables.has(attribute.target);
}

/** How a relation is followed. */
export interface Following {
  readonly purpose: Purpose;
  /** The condition for targets to be visible to the actor; the caller adds it to its own. */
  readonly isVisible?: (target: Scope) => string;
}

/** How to get from the current row to what a relation with one target type holds. @throws PLINTH_QUERY_UNCOMPILABLE */
export function joinRelation(
  compilation: Compilation,
  scope: Scope,
  attribute: RelationAttribute,
  { purpose, isVisible }: Following,
): RelationJoin {
  if (attribute.target === undefined) throw new UncompilableError({ uid: scope.row.shape.uid, field: attribute.name });
  const { type } = tableOf(compilation.layout, attribute.target);
  const alias = newAlias();
  const path = pathTo(compilation, scope, attribute, { type, alias });
  const table = `${readTable(type.table)} ${alias}`;
  const choose = purpose === "show" ? shownVersion : testedVersion;
  const version = choose(compilation, scope, attribute, { type, alias, isVisible });
  const isShown = purpose === "show" && !isOfEitherVersion(scope);
  const target = tableScope(compilation, type, alias, isShown ? compilation.status : scope.status);
  return {
    target: isChosenFromChain(compilation, scope, attribute, { type, purpose })
      ? { ...target, locales: scope.locales }
      : target,
    from: path.through ? `${path.through} join ${table} on ${path.on}` : table,
    where: allOf([path.where, version].filter((condition) => condition !== "true")),
    order: attribute.isMany ? path.order : firstLocale(compilation, scope, attribute, { type, alias }),
  };
}

interface ChosenTarget extends Target {
  readonly isVisible: Following["isVisible"];
}

function shownVersion(
  compilation: Compilation,
  scope: Scope,
  attribute: RelationAttribute,
  { isVisible, ...target }: ChosenTarget,
): string {
  const isAll = attribute.storage === "locales" || isOfAllLocales(compilation, scope, attribute);
  const locales = isAll ? undefined : scope.locales;
  if (!target.type.hasDrafts || !isOfEitherVersion(scope))
    return versionCondition(compilation, target, { status: compilation.status, locales, isVisible });
  const known = versionCondition(compilation, target, { status: undefined, locales, isVisible });
  return allOf([sameVersion(target, scope.holder), known].filter((condition) => condition !== "true"));
}

/** Whether a row with drafts may be either version, as one that a rule is asked about. */
const isOfEitherVersion = ({ holder, status }: Scope): boolean => holder.type.hasDrafts && status === undefined;

const sameVersion = ({ alias }: Pick<Target, "alias">, holder: Scope["holder"]): string =>
  `(${alias}.published_at is null) = (${holder.alias}.published_at is null)`;

/**
 * Whether a row without a locale shows what links to it in every locale: a link belongs to one locale of the other side.
 * A read that names locales that stand in is about one version of each.
 */
function isOfAllLocales({ fallback }: Compilation, { holder }: Scope, { storage }: RelationAttribute): boolean {
  return storage === "inverse" && !holder.type.isLocalized && !fallback;
}

/** Which of several that link to a row is the one it shows: the default locale's, then by locale. */
function firstLocale(
  compilation: Compilation,
  scope: Scope,
  attribute: RelationAttribute,
  { type, alias }: Target,
): readonly string[] {
  if (!type.isLocalized || !isOfAllLocales(compilation, scope, attribute)) return [];
  return [`(${alias}.locale = ${scope.locales[0]}) desc`, `${alias}.locale`, `${alias}.id`];
}

function testedVersion(
  compilation: Compilation,
  { holder, status, locales }: Scope,
  { storage }: RelationAttribute,
  { isVisible, ...target }: ChosenTarget,
): string {
  const { type, alias } = target;
  const isSameLocale = holder.type.isLocalized && storage !== "locales";
  const known = versionCondition(compilation, target, {
    status: holder.type.hasDrafts ? status : undefined,
    locales: isSameLocale ? locales : undefined,
    isVisible,
  });
  if (!type.hasDrafts || !holder.type.hasDrafts || status) return known;
  return allOf([sameVersion({ alias }, holder), known].filter((condition) => condition !== "true"));
}

/** With a fallback, what leads on from a row is shown in the locales that the row itself was chosen from. */
function isChosenFromChain(
  { fallback }: Compilation,
  { holder }: Scope,
  { storage }: RelationAttribute,
  { type, purpose }: { readonly type: ContentType; readonly purpose: Purpose },
): boolean {
  if (!fallback || !type.isLocalized || storage === "locales") return false;
  return purpose === "show" || holder.type.isLocalized;
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
    case "author":
      return { where: `${target.alias}.id = ${scope.row.stored(attribute.name)}`, order: [] };
    case "inverse":
      return fromOtherSide(compilation, scope, attribute, target);
    case "embedded":
      return fromComponent(scope, attribute, target);
    case "uses":
      throw new UncompilableError({ uid: scope.row.shape.uid, field: attribute.name });
    case "locales":
      return {
        where: `${target.alias}.document_id = ${scope.row.alias}.document_id and ${target.alias}.locale <> ${scope.row.alias}.locale`,
        order: [`${target.alias}.locale`],
      };
  }
}

function throughLinks(compilation: Compilation, scope: Scope, attribute: RelationAttribute, target: Target): Path {
  const owner = tableOf(compilation.layout, scope.row.shape.uid);
  const link = newAlias();
  return {
    through: `${readTable(owner.links ?? "")} ${link}`,
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
  const link = newAlias();
  return {
    through: `${readTable(table.links ?? "")} ${link}`,
    on: `${target.alias}.id = ${link}.source`,
    where: allOf([
      `${link}.target = ${document}`,
      `${link}.attribute = ${linkCode(table, owning.name)}`,
      ...(owning.isPolymorphic ? [`${link}.target_type = ${self}`] : []),
    ]),
    order: [`${link}.inverse_position`, `${target.alias}.id`],
  };
}

function fromComponent(scope: Scope, attribute: RelationAttribute, target: Target): Path {
  const value = scope.row.stored(attribute.name);
  if (!attribute.isMany) return { where: `${target.alias}.document_id = ${value} #>> '{}'`, order: [] };
  const element = newAlias();
  return {
    through: `jsonb_array_elements_text(${jsonList(value)}) with ordinality ${element}(target, position)`,
    on: `${target.alias}.document_id = ${element}.target`,
    where: "true",
    order: [`${element}.position`],
  };
}

/** A jsonb that can be unnested: a stored value that is not a list counts as an empty one. */
export function jsonList(value: string): string {
  return `case when jsonb_typeof(${value}) = 'array' then ${value} else '[]'::jsonb end`;
}

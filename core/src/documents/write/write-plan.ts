import { identifier } from "../../database/compiler/sql.js";
import { type Layout, linkCode, type TableLayout, tableOf } from "../../database/layout.js";
import { isRelation, linkKeys } from "../../database/sync/link-keys.js";
import type {
  Attribute,
  ComponentAttribute,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from "../../schema/model.js";
import { hasComponentUniques } from "./component-unique-values.js";
import { assignments, columnList, columnsOf, positionColumn } from "./columns.js";
import { type InversePlan, planInverse } from "./inverse-plan.js";
import { planLinks, planRowLinks } from "./link-sql.js";
import { planForget } from "./references.js";
import { isUnique, planConflicts } from "./unique-sql.js";
import { versionColumn } from "./version.js";

/** A to-one relation whose target has one holder only. */
export interface ExclusivePlan {
  readonly attribute: RelationAttribute;
  /** Takes the target from whoever holds it, and gives their row ids: `$1` target, `$2` locale, `$3` is draft, `$4` document that may keep it. */
  readonly takeText: string;
}

/** All that writing one content-type needs to know, with its SQL: made once at start, only values are added per call. */
export interface WritePlan {
  readonly type: ContentType;
  readonly table: TableLayout;
  readonly components: readonly (ComponentAttribute | ZoneAttribute)[];
  readonly uniques: readonly ScalarAttribute[];
  /** Whether components inside have unique attributes. */
  readonly hasComponentUniques: boolean;
  readonly exclusives: readonly ExclusivePlan[];
  readonly inverses: ReadonlyMap<string, InversePlan>;
  /** Names of attributes that all locales of a document share. */
  readonly shared: ReadonlySet<string>;
  readonly codes: {
    /** Of the to-many attributes that all locales share. */
    readonly shared: readonly number[];
    /** Of what components hold, by link key. */
    readonly embedded: ReadonlyMap<string, number>;
  };
  readonly sql: {
    /** `$1` row as JSON by column, `$2` its links as JSON where the type has any. */
    readonly insert: string;
    /** The end of an insert or update of the row `t`: gives it back as a Version. */
    readonly returning: string;
    /** `$1` document id: locks all its rows, in the order of their ids, which it gives. */
    readonly lock: string;
    /** `$1` document id: all its rows, in the order of their ids. */
    readonly versions: string;
    /**
     * `$1` document id, `$2` locale, `$3` whether it is the draft, `$4` publication time of the copy or null: copies a row
     * with its links over the other version of its document and locale.
     */
    readonly copy: string;
    /** `insert` and `copy` where nobody asks what they wrote. */
    readonly quiet: { readonly insert: string; readonly copy: string };
    /** `$1` row id, `$2` locale, `$3` time, `$4` publication time or null: a new locale with the shared attributes of a row. */
    readonly newLocale: string;
    /** `$1` row id: gives its shared attributes to the same version in the other locales. Undefined when there are none. */
    readonly share: string | undefined;
    /** `$1` document id, `$2` its locale: locks what publishing or discarding changes of other documents. Undefined when it cannot. */
    readonly lockOwners: string | undefined;
    /** `$1` row ids. */
    readonly remove: string;
    /** Names of unique attributes that another document holds: `$1` row as JSON, `$2` locale, `$3` document id. */
    readonly conflicts: string | undefined;
    /** `$1` document id: clears whatever points to it. Undefined when nothing can. */
    readonly forget: string | undefined;
    /** Sets, and copies, link rows. Undefined without a link table. */
    readonly links: { readonly set: string; readonly current: string; readonly copy: string } | undefined;
  };
}

const SYSTEM_COLUMNS = ["document_id", "locale", "published_at", "created_at", "updated_at"];
/** The row `s` that a copy is made of. */
const COPIED = "s.document_id = $1 and s.locale = $2 and (s.published_at is null) = $3::bool";
const AUTHOR_COLUMNS = ["created_by_id", "updated_by_id"];

/** Builds the plan of one content-type. @throws PLINTH_LAYOUT_MISSING (500) */
export function planWrites(layout: Layout, type: ContentType): WritePlan {
  const table = tableOf(layout, type.uid);
  const attributes = [...type.attributes.values()];
  const shared = attributes.filter((attribute) => !attribute.isLocalized);
  const inverses = attributes.filter(isInverse).map((attribute) => planInverse(layout, type, attribute));
  const embedded = new Map(
    linkKeys(layout.model, type)
      .filter(isEmbeddedKey)
      .map((key) => [key, linkCode(table, key)]),
  );
  return {
    type,
    table,
    components: attributes.filter(isStructured),
    uniques: attributes.filter(isUnique),
    hasComponentUniques: hasComponentUniques(layout.model, type),
    exclusives: attributes.filter(isExclusive).map((attribute) => ({ attribute, takeText: takeText(type, attribute) })),
    inverses: new Map(inverses.map((plan) => [plan.attribute.name, plan])),
    shared: new Set(shared.map(({ name }) => name)),
    codes: {
      shared: shared.filter(isLinked).map(({ name }) => linkCode(table, name)),
      embedded,
    },
    sql: {
      ...rowSql(table, attributes.flatMap(columnsOf), shared.flatMap(columnsOf)),
      lockOwners: lockAll(inverses.flatMap(({ sql }) => sql.lockDifferent ?? [])),
      conflicts: planConflicts(type, attributes.filter(isUnique)),
      forget: planForget(layout, type),
      links: table.links === undefined ? undefined : planLinks(table.links),
    },
  };
}

function rowSql({ type, links }: TableLayout, columns: readonly string[], shared: readonly string[]) {
  const table = identifier(type.table);
  const version = versionColumn(type, "t");
  const returning = `returning ${version}`;
  return {
    returning,
    ...newRowSql({ table, links }, columns, version),
    quiet: newRowSql({ table, links }, columns),
    lock: `select t.id::text as id from ${table} t where t.document_id = $1 order by t.id for update`,
    versions: `select ${versionColumn(type, "t")} from ${table} t where t.document_id = $1 order by t.id`,
    newLocale: [
      `insert into ${table} as t (${columnList([...SYSTEM_COLUMNS, ...shared])})`,
      `select s.document_id, $2::text, $4::timestamptz, $3::timestamptz, $3::timestamptz${shared.map((column) => `, s.${identifier(column)}`).join("")}`,
      `from ${table} s where s.id = $1::int8 ${returning}`,
    ].join(" "),
    share: shared.length === 0 ? undefined : shareText(table, shared),
    remove: `delete from ${table} where id = any($1::int8[])`,
  };
}

/** The statements that write a row with its links, and return it as `version` where that is given. */
function newRowSql(
  { table, links }: { readonly table: string; readonly links: string | undefined },
  columns: readonly string[],
  version?: string,
): { readonly insert: string; readonly copy: string } {
  const withLinks = links === undefined ? undefined : planRowLinks(links);
  const inserted = [...SYSTEM_COLUMNS, ...columns];
  const copied = [...AUTHOR_COLUMNS, ...columns];
  const insert = `insert into ${table} as t (${columnList(inserted)}) select ${columnList(inserted, "r")} from jsonb_populate_record(null::${table}, $1::jsonb) r`;
  const copy = [
    `insert into ${table} as t (${columnList([...SYSTEM_COLUMNS, ...copied])})`,
    `select s.document_id, s.locale, $4::timestamptz, s.created_at, s.updated_at, ${columnList(copied, "s")} from ${table} s where ${COPIED}`,
    "on conflict (document_id, locale, (published_at is null)) do update",
    `set ${assignments(["published_at", "updated_at", ...copied], "excluded")}`,
  ].join(" ");
  return {
    insert: written(insert, version, withLinks?.insert),
    copy: written(copy, version, withLinks?.copy(`select s.id from ${table} s where ${COPIED}`)),
  };
}

/** One statement that writes a row, and the links of it: both or none, in one go. */
function written(row: string, version: string | undefined, links: readonly string[] | undefined): string {
  if (links === undefined) return version === undefined ? row : `${row} returning ${version}`;
  const returned = version === undefined ? "t.id" : `t.id, ${version}`;
  return `with w as (${row} returning ${returned}), ${links.join(", ")} select ${version === undefined ? "" : "version"} from w`;
}

/** One statement of several that lock; what a statement does not count it does not run. */
function lockAll(locks: readonly string[]): string | undefined {
  if (locks.length === 0) return undefined;
  const parts = locks.map((text, index) => `l${index} as materialized (${text})`);
  return `with ${parts.join(", ")} select ${locks.map((_, index) => `(select count(*) from l${index})`).join(" + ")} as locked`;
}

function shareText(table: string, shared: readonly string[]): string {
  return [
    `update ${table} t set ${assignments(shared, "s")} from ${table} s where s.id = $1::int8 and t.document_id = s.document_id`,
    "and t.id <> s.id and (t.published_at is null) = (s.published_at is null)",
    `and row(${columnList(shared, "t")}) is distinct from row(${columnList(shared, "s")})`,
  ].join(" ");
}

function takeText(type: ContentType, attribute: RelationAttribute): string {
  const column = identifier(attribute.column ?? "");
  const cleared = [attribute.column ?? "", ...positionColumn(attribute)].map((name) => `${identifier(name)} = null`);
  return [
    `update ${identifier(type.table)} set ${cleared.join(", ")} where ${column} = $1 and locale = $2`,
    "and (published_at is null) = $3::bool and document_id <> $4 returning id::text as id",
  ].join(" ");
}

const isStructured = (attribute: Attribute): attribute is ComponentAttribute | ZoneAttribute =>
  attribute.kind === "component" || attribute.kind === "dynamiczone";
const isExclusive = (attribute: Attribute): attribute is RelationAttribute =>
  isRelation(attribute) && attribute.isExclusive && attribute.storage === "column";
const isInverse = (attribute: Attribute): attribute is RelationAttribute =>
  isRelation(attribute) && attribute.storage === "inverse";
const isLinked = (attribute: Attribute): attribute is RelationAttribute =>
  isRelation(attribute) && attribute.storage === "links";
const isEmbeddedKey = (key: string): boolean => key.includes("#");

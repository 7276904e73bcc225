import { identifier, literal } from "../sql/sql.js";
import {
  type Layout,
  linkCode,
  positionColumn,
  relationColumns,
  type TableLayout,
  tableOf,
  typeColumn,
} from "../layout/layout.js";
import type { ContentType, RelationAttribute } from "../../schema/model.js";

/** How to write a relation whose links are kept on the other side. */
export interface InversePlan {
  readonly attribute: RelationAttribute;
  /** The type that keeps the links. */
  readonly owner: ContentType;
  /** The attribute of the owner that keeps them. */
  readonly owning: RelationAttribute;
  readonly sql: InverseSql & {
    /**
     * Between two types with drafts: ids of the owners' rows that show a document (`$1`, its locale `$2`) in one version
     * only, or in another place, locked in the order of their ids.
     */
    readonly lockDifferent: string | undefined;
    /**
     * Brings the links that touch a document (`$1`, its locale `$2`) from the owners' drafts to their published rows;
     * `$3`: ids of the rows that may change, null for all.
     */
    readonly publish: readonly string[];
    /** The same from the published rows to the drafts. */
    readonly discard: readonly string[];
  };
}

interface InverseSql {
  /** As `read`, but only locks. */
  readonly lock: string;
  /** `$1` document id, `$2` further owners' document ids, `$3` locale: JSON texts `{ id, documentId, isDraft, isLinked, position }`, locked in the order of their ids. */
  readonly read: string;
  /** `$1` document id, `$2` row ids of the owners that lose it. */
  readonly unlink: string;
  /** `$1` document id, `$2` JSON list of `{ id, position }`, `$3` place in the owner's list: owners that get or move it. */
  readonly link: string;
}

/** Whether an owner's row is of the locale that a document is published in (`$2`); of all, where one type has no locales. */
const localeTest =
  (owner: ContentType, type: ContentType): Side =>
  (alias) =>
    owner.isLocalized && type.isLocalized ? `${alias}.locale = $2::text` : "$2::text is not null";

/** The other version of an owner's row. */
const isOther = (alias: string, row: string): string =>
  `${alias}.document_id = ${row}.document_id and ${alias}.locale = ${row}.locale and ${alias}.id <> ${row}.id`;

/** Whether two links are in the same places. */
const isAsPlaced = (a: string, b: string): string =>
  `${a}.position = ${b}.position and ${a}.inverse_position = ${b}.inverse_position`;

/** A version of the owner, as SQL conditions on its row. */
type Side = (alias: string) => string;
const draft: Side = (alias) => `${alias}.published_at is null`;
const published: Side = (alias) => `${alias}.published_at is not null`;

/** A version of the owner whose rows may change. */
const within =
  (side: Side): Side =>
  (alias) =>
    `${side(alias)} and ($3::int8[] is null or ${alias}.id = any($3::int8[]))`;

/** Plans one inverse attribute of a content-type. @throws PLINTH_LAYOUT_MISSING (500) */
export function planInverse(layout: Layout, type: ContentType, attribute: RelationAttribute): InversePlan {
  const table = tableOf(layout, attribute.target ?? "");
  const owner = table.type;
  const owning = owner.attributes.get(attribute.mappedBy ?? "") as RelationAttribute;
  const isColumn = owning.storage === "column";
  const links = isColumn ? undefined : new LinkSql(table, linkCode(table, owning.name), { owning, type });
  const sql = links ?? new ColumnSql(owner, owning, type);
  const bothHaveDrafts = owner.hasDrafts && type.hasDrafts;
  return {
    attribute,
    owner,
    owning,
    sql: {
      lock: `select from ${sql.owners()}`,
      read: `select ${sql.ownerText()} from ${sql.owners()}`,
      unlink: sql.unlink(),
      link: sql.link(),
      lockDifferent: bothHaveDrafts ? sql.lockDifferent() : undefined,
      publish: bothHaveDrafts ? sql.sync(draft, within(published)) : [],
      discard: bothHaveDrafts ? sql.sync(published, within(draft)) : [],
    },
  };
}

const rowAsJson = (isLinked: string, position: string): string =>
  `json_build_object('id', r.id::text, 'documentId', r.document_id, 'isDraft', r.published_at is null, 'isLinked', ${isLinked}, 'position', ${position})::text as owner`;

/** The link is a column of the owner's row. */
class ColumnSql {
  readonly #table: string;
  readonly #column: string;
  readonly #position: string | undefined;
  readonly #columns: readonly string[];
  readonly #cleared: string;
  readonly #given: string;
  readonly #values = (alias: string): string =>
    `row(${this.#columns.map((column) => `${alias}.${column}`).join(", ")})`;

  constructor(
    private readonly owner: ContentType,
    private readonly owning: RelationAttribute,
    private readonly type: ContentType,
  ) {
    this.#columns = relationColumns(owning).map(identifier);
    this.#table = identifier(owner.table);
    this.#column = identifier(owning.column ?? "");
    const [position] = positionColumn(owning);
    const [targetType] = typeColumn(owning);
    this.#position = position === undefined ? undefined : identifier(position);
    const others = [targetType, position].filter((column) => column !== undefined).map(identifier);
    this.#cleared = [this.#column, ...others].map((column) => `${column} = null`).join(", ");
    const given = [`${this.#column} = $1`];
    if (targetType !== undefined) given.push(`${identifier(targetType)} = ${literal(type.uid)}`);
    if (position !== undefined) given.push(`${identifier(position)} = v.position`);
    this.#given = given.join(", ");
  }

  ownerText(): string {
    return rowAsJson(`coalesce(${this.#holds("r")}, false)`, this.#position ? `r.${this.#position}` : "0");
  }

  owners(): string {
    return [
      `${this.#table} r where (${this.#holds("r")} or r.document_id = any($2::text[])) and r.locale = $3`,
      "order by r.id for no key update of r",
    ].join(" ");
  }

  unlink(): string {
    return `update ${this.#table} r set ${this.#cleared} where r.id = any($2::int8[]) and ${this.#holds("r")}`;
  }

  link(): string {
    return [
      `update ${this.#table} t set ${this.#given}`,
      "from jsonb_to_recordset($2::jsonb) as v(id int8, position float8) where t.id = v.id and $3::float8 is not null",
    ].join(" ");
  }

  sync(from: Side, to: Side): readonly string[] {
    const columns = this.#columns;
    const row = this.#values;
    const isInLocale = localeTest(this.owner, this.type);
    const otherVersion = `select from ${this.#table} s where ${from("s")} and s.locale = h.locale and`;
    // The target is taken from a row whose document no longer has it on the other side, or where another document has it.
    const take = [
      `update ${this.#table} h set ${this.#cleared} where ${to("h")} and ${isInLocale("h")} and ${this.#holds("h")} and`,
      `(exists (${otherVersion} s.document_id = h.document_id and ${this.#holds("s")} is not true)`,
      `or exists (${otherVersion} s.document_id <> h.document_id and ${this.#holds("s")}))`,
    ].join(" ");
    const touched = `select m.document_id, m.locale from ${this.#table} m where ${this.#holds("m")}`;
    const isMeant = this.owning.isExclusive ? this.#holds("s") : `(s.document_id, s.locale) in (${touched})`;
    const copy = [
      `update ${this.#table} t set ${columns.map((column) => `${column} = s.${column}`).join(", ")} from ${this.#table} s`,
      `where ${isMeant} and ${from("s")} and t.document_id = s.document_id and t.locale = s.locale and ${to("t")}`,
      `and ${isInLocale("t")} and ${row("t")} is distinct from ${row("s")}`,
    ].join(" ");
    return this.owning.isExclusive ? [take, copy] : [copy];
  }

  lockDifferent(): string {
    const touched = `select m.document_id, m.locale from ${this.#table} m where ${this.#holds("m")}`;
    return [
      `select r.id from ${this.#table} r where (r.document_id, r.locale) in (${touched}) and ${localeTest(this.owner, this.type)("r")}`,
      `and exists (select from ${this.#table} o where ${isOther("o", "r")} and ${this.#values("o")} is distinct from ${this.#values("r")})`,
      "order by r.id for no key update of r",
    ].join(" ");
  }

  #holds(alias: string): string {
    const [targetType] = typeColumn(this.owning);
    const ofType =
      targetType === undefined ? "" : ` and ${alias}.${identifier(targetType)} = ${literal(this.type.uid)}`;
    return `(${alias}.${this.#column} = $1${ofType})`;
  }
}

/** The links are rows of the owner's link table. */
class LinkSql {
  readonly #table: string;
  readonly #links: string;
  readonly #targetType: string;
  readonly #isInLocale: Side;

  constructor(
    owner: TableLayout,
    private readonly code: number,
    { owning, type }: { readonly owning: RelationAttribute; readonly type: ContentType },
  ) {
    this.#table = identifier(owner.table);
    this.#links = identifier(owner.links ?? "");
    this.#targetType = owning.isPolymorphic ? type.uid : "";
    this.#isInLocale = localeTest(owner.type, type);
  }

  ownerText(): string {
    return rowAsJson("l.source is not null", "coalesce(l.inverse_position, 0)");
  }

  owners(): string {
    return [
      `${this.#table} r left join ${this.#links} l on l.source = r.id and ${this.#holds("l")}`,
      `where r.id in (select x.source from ${this.#links} x where ${this.#holds("x")} union select o.id from ${this.#table} o where o.document_id = any($2::text[]))`,
      "and r.locale = $3 order by r.id for no key update of r",
    ].join(" ");
  }

  unlink(): string {
    return `delete from ${this.#links} l where ${this.#holds("l")} and l.source = any($2::int8[])`;
  }

  link(): string {
    return [
      `insert into ${this.#links} (source, attribute, target, target_type, position, inverse_position)`,
      `select v.id, ${this.code}, $1, ${literal(this.#targetType)}, $3::float8, v.position`,
      "from jsonb_to_recordset($2::jsonb) as v(id int8, position float8)",
      "on conflict (source, attribute, target_type, target) do update set inverse_position = excluded.inverse_position",
    ].join(" ");
  }

  sync(from: Side, to: Side): readonly string[] {
    return [
      [
        `with touched as (select distinct r.document_id, r.locale from ${this.#links} x join ${this.#table} r on r.id = x.source`,
        `where ${this.#holds("x")} and ${this.#isInLocale("r")}),`,
        `pairs as (select s.id as source, t.id as copy from touched k join ${this.#table} s on s.document_id = k.document_id and s.locale = k.locale and ${from("s")}`,
        `join ${this.#table} t on t.document_id = k.document_id and t.locale = k.locale and ${to("t")}),`,
        `gone as (delete from ${this.#links} l using pairs p where l.source = p.copy and ${this.#holds("l")}`,
        `and not exists (select 1 from ${this.#links} y where y.source = p.source and ${this.#holds("y")})),`,
        `added as (insert into ${this.#links} (source, attribute, target, target_type, position, inverse_position)`,
        `select p.copy, y.attribute, y.target, y.target_type, y.position, y.inverse_position from pairs p join ${this.#links} y on y.source = p.source and ${this.#holds("y")}`,
        `where not exists (select from ${this.#links} z where z.source = p.copy and ${this.#holds("z")} and ${isAsPlaced("z", "y")})`,
        "on conflict (source, attribute, target_type, target) do update",
        "set position = excluded.position, inverse_position = excluded.inverse_position) select 1",
      ].join(" "),
    ];
  }

  lockDifferent(): string {
    const hasSame = [
      `select from ${this.#links} y join ${this.#table} o on o.id = y.source where ${isOther("o", "s")} and ${this.#holds("y")}`,
      `and ${isAsPlaced("y", "x")}`,
    ].join(" ");
    const different = [
      `select s.document_id, s.locale from ${this.#links} x join ${this.#table} s on s.id = x.source`,
      `where ${this.#holds("x")} and exists (select from ${this.#table} o where ${isOther("o", "s")}) and not exists (${hasSame})`,
    ].join(" ");
    return `select r.id from ${this.#table} r where (r.document_id, r.locale) in (${different}) and ${this.#isInLocale("r")} order by r.id for no key update of r`;
  }

  #holds(alias: string): string {
    return `(${alias}.target = $1 and ${alias}.attribute = ${this.code} and ${alias}.target_type = ${literal(this.#targetType)})`;
  }
}

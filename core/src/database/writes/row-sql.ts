import { type CarriedParts, NOTHING_CARRIED } from "../layout/carried.js";
import { assignments, columnList, type TableLayout } from "../layout/layout.js";
import { notedDelete, notedRows, WRITTEN_ROWS } from "../layout/noted-changes.js";
import { identifier } from "../sql/sql.js";
import { linksDiffer, planRowLinks } from "./link-sql.js";
import { versionColumn } from "./version.js";

/** The statements on the rows of one content-type. */
export interface RowSql {
  /** `$1` row as JSON by column, `$2` its links as JSON where the type has any. */
  readonly insert: string;
  /** The end of an insert or update of the row `t`: gives it back as a Version. */
  readonly returning: string;
  /** `$1` document id: locks all its rows, in the order of their ids, which it gives. Others may link to them meanwhile. */
  readonly lock: string;
  /** The same, and waits for writers that are linking to them. */
  readonly lockToRemove: string;
  /** The same, and waits only for those who remove them. */
  readonly lockToKeep: string;
  /** `$1` document id: all its rows, in the order of their ids. */
  readonly versions: string;
  /**
   * `$1` document id, `$2` locale, `$3` whether it is the draft, `$4` publication time of the copy or null: copies a row
   * with its links over the other version of its document and locale.
   */
  readonly copy: string;
  /** `$1` and `$2` row ids: whether they differ in an attribute or a link, as `differ`. */
  readonly differ: string;
  /** `$1` row id, `$2` row as JSON by column: the statement that changes some columns of a row `t`, and names no others. */
  readonly update: (columns: readonly string[]) => string;
  /** Where the written row is not needed. */
  readonly quiet: QuietSql;
  /** The `documentId` of some row; of a single type, of its document. */
  readonly anyDocument: string;
  /** `$1` row id, `$2` locale, `$3` time, `$4` publication time or null, `$5` author or null: a new locale with the shared attributes of a row. */
  readonly newLocale: string;
  /** `$1` row id: gives its shared attributes to the same version in the other locales. Undefined when there are none. */
  readonly share: string | undefined;
  /** `$1` row ids. */
  readonly remove: string;
}

/** Statements that return nothing. Those on both versions write what the two statements would that they stand for. */
export interface QuietSql {
  readonly insert: string;
  readonly copy: string;
  /** `insert`, then `copy` of the draft; the publication time comes last. */
  readonly insertBoth: string;
  /** `update` of a draft, then `copy` of it over the row `$3`, at `$4`. */
  readonly updateBoth: (columns: readonly string[]) => string;
}

const SYSTEM_COLUMNS = ["document_id", "locale", "published_at", "created_at", "updated_at"];
const AUTHOR_COLUMNS = ["created_by_id", "updated_by_id"];
/** The row `s` that a copy is made of. */
const COPIED = "s.document_id = $1 and s.locale = $2 and (s.published_at is null) = $3::bool";

/**
 * Plans the statements on rows.
 *
 * @param columns - of all attributes, and `shared` of those that all locales share.
 * @param carried - what copies of rows hold besides.
 * @param countsAlong - whether the statements note the rows that they add and take away.
 */
export function planRowSql(
  layout: TableLayout,
  { columns, shared }: { readonly columns: readonly string[]; readonly shared: readonly string[] },
  carried: CarriedParts = NOTHING_CARRIED,
  countsAlong = false,
): RowSql {
  const table = identifier(layout.type.table);
  const version = versionColumn(layout.type, "t");
  const returning = `returning ${version}`;
  const links = layout.links === undefined ? undefined : planRowLinks(layout.links);
  const ownRows = `select t.id::text as id from ${table} t where t.document_id = $1 order by t.id`;
  const insert = insertText(table, columns);
  const allColumns = [...columns, ...carried.columns];
  const allShared = [...shared, ...carried.shared];
  const copy = copyText(table, allColumns);
  const copiedLinks = layout.links ?? carried.links;
  const linkCopies = copiedLinks === undefined ? undefined : planRowLinks(copiedLinks);
  const copyLinks = linkCopies?.copy(`select s.id from ${table} s where ${COPIED}`);
  const update = updateText(table);
  const written = countsAlong ? writtenAndNoted(layout.type.table) : writtenRow;
  const removed = "id = any($1::int8[])";
  return {
    returning,
    update,
    insert: written(insert, links?.insert, version),
    copy: written(copy, copyLinks, version),
    differ: differText(table, allColumns, copiedLinks),
    quiet: {
      insert: written(insert, links?.insert),
      copy: written(copy, copyLinks),
      insertBoth: written(insertBothText(table, columns, links ? "$3" : "$2"), links?.insert),
      updateBoth: updateBothText({ table, columns: allColumns, update, links: linkCopies?.copy("$1::int8") }),
    },
    lock: `${ownRows} for no key update`,
    lockToRemove: `${ownRows} for update`,
    lockToKeep: `${ownRows} for key share`,
    versions: `select ${version} from ${table} t where t.document_id = $1 order by t.id`,
    anyDocument: `select document_id as "documentId" from ${table} limit 1`,
    newLocale: written(newLocaleText(table, allShared), undefined, version),
    share: allShared.length === 0 ? undefined : shareText(table, allShared),
    remove: countsAlong ? notedDelete(layout.type.table, removed) : `delete from ${table} where ${removed}`,
  };
}

const given = (table: string, parameter: string): string =>
  `jsonb_populate_record(null::${table}, ${parameter}::jsonb) r`;

function insertText(table: string, columns: readonly string[]): string {
  const inserted = [...SYSTEM_COLUMNS, ...AUTHOR_COLUMNS, ...columns];
  return `insert into ${table} as t (${columnList(inserted)}) select ${columnList(inserted, "r")} from ${given(table, "$1")}`;
}

function insertBothText(table: string, columns: readonly string[], time: string): string {
  const system = [...SYSTEM_COLUMNS, ...AUTHOR_COLUMNS].filter((column) => column !== "published_at");
  const inserted = [...system, ...columns];
  return [
    `insert into ${table} as t (published_at, ${columnList(inserted)}) select v.published_at, ${columnList(inserted, "r")}`,
    `from ${given(table, "$1")} cross join (values (null::timestamptz), (${time}::timestamptz)) v(published_at)`,
  ].join(" ");
}

function copyText(table: string, columns: readonly string[]): string {
  const copied = [...AUTHOR_COLUMNS, ...columns];
  return [
    `insert into ${table} as t (${columnList([...SYSTEM_COLUMNS, ...copied])})`,
    `select s.document_id, s.locale, $4::timestamptz, s.created_at, s.updated_at, ${columnList(copied, "s")} from ${table} s where ${COPIED}`,
    "on conflict (document_id, locale, (published_at is null)) do update",
    `set ${assignments(["published_at", "updated_at", ...copied], "excluded")}`,
  ].join(" ");
}

function differText(table: string, columns: readonly string[], links: string | undefined): string {
  const values = (alias: string) => `row(${columnList(columns, alias)})`;
  const own = columns.length === 0 ? "false" : `${values("a")} is distinct from ${values("b")}`;
  const differ = links === undefined ? own : `${own} or ${linksDiffer(links, "a.id", "b.id")}`;
  return `select ${differ} as differ from ${table} a cross join ${table} b where a.id = $1::int8 and b.id = $2::int8`;
}

function newLocaleText(table: string, shared: readonly string[]): string {
  return [
    `insert into ${table} as t (${columnList([...SYSTEM_COLUMNS, ...AUTHOR_COLUMNS, ...shared])})`,
    `select s.document_id, $2::text, $4::timestamptz, $3::timestamptz, $3::timestamptz, $5::int8, $5::int8${shared.map((column) => `, s.${identifier(column)}`).join("")}`,
    `from ${table} s where s.id = $1::int8`,
  ].join(" ");
}

/** Only the columns that change are named, so that an untouched long text is not written again. */
function updateText(table: string): (columns: readonly string[]) => string {
  return (columns) =>
    `update ${table} t set ${assignments(columns, "r")} from ${given(table, "$2")} where t.id = $1::int8`;
}

interface BothParts {
  readonly table: string;
  readonly columns: readonly string[];
  readonly update: RowSql["update"];
  /** What brings the published row's links up to date, where there are any. */
  readonly links: readonly string[] | undefined;
}

function updateBothText({ table, columns, update, links }: BothParts): QuietSql["updateBoth"] {
  const copied = ["updated_at", ...AUTHOR_COLUMNS, ...columns];
  const publish = `update ${table} t set published_at = $4::timestamptz, ${assignments(copied, "d")} from d where t.id = $3::int8`;
  if (links === undefined) return (changed) => `with d as (${update(changed)} returning t.*) ${publish}`;
  const rest = [`w as (${publish} returning t.id)`, ...links].join(", ");
  return (changed) => `with d as (${update(changed)} returning t.*), ${rest} select from w`;
}

/** One statement that writes a row, and the links of it: both or none, in one go. @param version - to return, if anything. */
function writtenRow(row: string, links: readonly string[] | undefined, version?: string): string {
  if (links === undefined) return version === undefined ? row : `${row} returning ${version}`;
  const returned = version === undefined ? "t.id" : `t.id, ${version}`;
  const parts = [`w as (${row} returning ${returned})`, ...links];
  return `with ${parts.join(", ")} select ${version === undefined ? "" : "version"} from w`;
}

/** The same, which notes the rows that are new. */
const writtenAndNoted =
  (table: string): typeof writtenRow =>
  (row, links = [], version = undefined) => {
    const returned = ["t.id", ...(version === undefined ? [] : [version]), WRITTEN_ROWS].join(", ");
    const parts = [`w as (${row} returning ${returned})`, ...links, `noted as (${notedRows(table)})`];
    return `with ${parts.join(", ")} select ${version === undefined ? "" : "version"} from w`;
  };

function shareText(table: string, shared: readonly string[]): string {
  return [
    `update ${table} t set ${assignments(shared, "s")} from ${table} s where s.id = $1::int8 and t.document_id = s.document_id`,
    "and t.id <> s.id and (t.published_at is null) = (s.published_at is null)",
    `and row(${columnList(shared, "t")}) is distinct from row(${columnList(shared, "s")})`,
  ].join(" ");
}

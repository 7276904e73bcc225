import { identifier, literal } from "../sql/sql.js";
import type { Layout } from "./layout.js";
import { DELTAS, STAMP_MASK } from "./totals.js";

/**
 * Totals and stamps where no triggers note changes: Citus has none of statements. Who writes notes what changed, in
 * `plinth_deltas` as triggers would, by statements that go along with the write; and all notes are summed, because the
 * transaction ids of coordinator and workers differ, so there is no horizon.
 */

/** Tables that are counted, by name. */
export type CountedTables = ReadonlyMap<string, CountedTable>;

/** A table of content, or of links. */
export interface CountedTable {
  /** Whether its rows are counted; of links it is only noted that they changed. */
  readonly hasRows: boolean;
  /** The table of links that goes with its rows. */
  readonly links: string | undefined;
}

/** The counted tables of a layout. */
export function countedTables({ tables }: Layout): CountedTables {
  return new Map(
    [...tables.values()].flatMap(({ table, links }): [string, CountedTable][] => [
      [table, { hasRows: true, links }],
      ...(links === undefined ? [] : [[links, { hasRows: false, links: undefined }] as [string, CountedTable]]),
    ]),
  );
}

/** What a statement returns of the rows `t` that it writes, for `notedRows`. A row that it found there, and changed, is not added. */
export const WRITTEN_ROWS = "t.published_at is null as is_draft, t.locale, (t.xmax = 0)::int as added";

/** What a statement returns of the rows `t` that it deletes. */
const DELETED_ROWS = "t.published_at is null as is_draft, t.locale, -1 as added";

/** A part of a statement: notes the rows that its part `w` wrote. */
export const notedRows = (table: string): string =>
  `insert into ${DELTAS} ("table", is_draft, locale, rows) select ${literal(table)}, is_draft, locale, sum(added) from w group by 2, 3`;

/** The statement that deletes rows `t` of a table, and notes it. */
export const notedDelete = (table: string, condition: string): string =>
  `with w as (delete from ${identifier(table)} t where ${condition} returning ${DELETED_ROWS}) ${notedRows(table)}`;

/** SQL of the number of rows of a table. @param drafts, locale - SQL; `"null"`: drafts as well as published ones, all locales. */
export function summedTotal(table: string, drafts: string, locale: string): string {
  const only = [
    `"table" = ${literal(table)}`,
    ...(drafts === "null" ? [] : [`is_draft = ${drafts}`]),
    ...(locale === "null" ? [] : [`locale = ${locale}`]),
  ];
  return `(select coalesce(sum(rows), 0)::bigint from ${DELTAS} where ${only.join(" and ")})`;
}

/** SQL of the stamp of some tables. @param tables - names as SQL literals. */
export const summedStamp = (tables: readonly string[]): string =>
  `(select coalesce(sum(stamp), 0)::bigint & ${STAMP_MASK} from ${DELTAS} where "table" in (${tables.join(", ")}))`;

/** `$1` names of tables: notes that they changed. */
export const NOTE_CHANGED = `insert into ${DELTAS} ("table", is_draft, locale, rows) select name, false, '', 0 from unnest($1::text[]) name`;

/** `$1` names of tables: replaces their notes by the sum of them. Those that somebody else replaces just now are left. */
export const FOLD_NOTES = [
  `with gone as (delete from ${DELTAS} where ctid = any(array(select ctid from ${DELTAS} where "table" = any($1::text[])`,
  `and current_setting('transaction_isolation') = 'read committed' for update skip locked))`,
  `returning "table", is_draft, locale, rows, stamp)`,
  `insert into ${DELTAS} ("table", is_draft, locale, rows, stamp) select "table", is_draft, locale, sum(rows), sum(stamp)::bigint & ${STAMP_MASK}`,
  "from gone group by 1, 2, 3",
].join(" ");

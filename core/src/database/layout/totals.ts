import { identifier, literal } from "../sql/sql.js";

/**
 * Table of what changed in the tables of content: every statement that writes one adds a row, and the sum of all rows
 * that a snapshot sees is what counts. `rows`: how many it added or took away, of drafts or published rows (`is_draft`)
 * of a locale; link tables have 0. `stamp`: random, below 2^40, so that two reads that see the same sum of stamps see
 * the same rows, also on a standby, which may see commits in another order, and after a restore. `xid`: of the
 * transaction that wrote it, or the horizon at which rows were replaced by their sum.
 *
 * Nothing is ever updated, so no writer waits for another.
 */
export const DELTAS = "plinth_deltas";

/**
 * Table of horizons, one row a counted table: no row of `plinth_deltas` that is seen with it has a lower `xid`. Reads
 * begin there, so they touch none of the rows that were replaced, which stay as long as any snapshot, such as a
 * dump's, holds them.
 */
export const BASES = "plinth_bases";

/** The table of changes in databases from before there were horizons; then a view, for processes of then that still run. */
export const FORMER_COUNTS = "plinth_counts";

/** How many statements write, on average, until one adds up what they left. */
export const FOLD_EVERY = 50;

/** Stamps are below this power of two, and so are their sums: more than 2^23 of them would not fit into a bigint. */
const STAMP_BITS = 40;
/** Keeps what a sum of stamps is compared by. */
export const STAMP_MASK = 2 ** STAMP_BITS - 1;

/** Both are small, and their rows come and go. */
const VACUUMED_OFTEN = "with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)";

/** A delta has no key: where deletes are published, they name the whole row. */
const DELTAS_SQL: readonly string[] = [
  `create table ${DELTAS} ("table" text not null, xid xid8 not null default pg_current_xact_id(), is_draft boolean not null, locale text not null, rows bigint not null, stamp bigint not null default (random() * ${STAMP_MASK})::bigint) ${VACUUMED_OFTEN}`,
  `create index ${DELTAS}_key on ${DELTAS} ("table", xid) include (is_draft, locale, rows, stamp)`,
  `alter table ${DELTAS} replica identity full`,
];

const BASES_SQL: readonly string[] = [
  `create table ${BASES} ("table" text not null, horizon xid8 not null, primary key ("table", horizon)) ${VACUUMED_OFTEN}`,
];

interface FunctionParts {
  /** With its parameters: `plinth_stamp(tables text[])`. */
  readonly signature: string;
  /** Type of what it returns, and what follows. */
  readonly returns: string;
  readonly body: string;
}

/** A function whose text names its tables with their schema: what writes by SQL may have another search path. */
const createFunction = ({ signature, returns, body }: FunctionParts): string =>
  `do $do$ begin execute format($format$create or replace function ${signature} returns ${returns} language plpgsql as $body$${body}$body$$format$, current_schema()); end $do$`;

/**
 * Replaces all rows of a table that it sees by their sum. What it does not see is of transactions that have not ended,
 * or end just now: from the oldest of them on, which becomes the horizon. A reader's snapshot has no transaction id and
 * does not hold it back; while a writer does, rows are replaced all the same. A horizon beyond all transactions is another cluster's, of a dump that was restored.
 *
 * One at a time, and none waits. Where rows may not change under a snapshot, all are left.
 */
const FOLD = `
declare
  oldest xid8;
  beyond xid8;
  base xid8;
begin
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock(hashtextextended(%1$L || '.${DELTAS} ' || written, 0)) then return; end if;
  select pg_snapshot_xmin(s), pg_snapshot_xmax(s) into oldest, beyond from pg_current_snapshot() s;
  select horizon into base from %1$I.${BASES} where "table" = written order by horizon desc limit 1;
  with gone as (
    delete from %1$I.${DELTAS} where "table" = written and xid >= case when base <= beyond then base else '0' end
    returning is_draft, locale, rows, stamp)
  insert into %1$I.${DELTAS} select written, oldest, is_draft, locale, sum(rows), sum(stamp)::bigint & ${STAMP_MASK}
    from gone group by is_draft, locale;
  if base is null then insert into %1$I.${BASES} values (written, oldest);
  elsif base <> oldest then update %1$I.${BASES} set horizon = oldest where "table" = written and horizon = base; end if;
end `;

const FOLD_BY_CHANCE = `if random() < ${1 / FOLD_EVERY} then perform %1$I.plinth_fold_counts(tg_table_name); end if; return null;`;

const ADD = `insert into %1$I.${DELTAS} ("table", is_draft, locale, rows)`;

/** TRUNCATE resets the count: it locks the table against other writers. */
const COUNT_ROWS = `
begin
  if tg_op = 'INSERT' then
    ${ADD} select tg_table_name, published_at is null, locale, count(*) from added group by 2, 3;
  elsif tg_op = 'DELETE' then
    ${ADD} select tg_table_name, published_at is null, locale, -count(*) from removed group by 2, 3;
  elsif tg_op = 'UPDATE' then
    ${ADD} select tg_table_name, is_draft, locale, sum(n) from (
      select published_at is null as is_draft, locale, 1 as n from added
      union all select published_at is null, locale, -1 from removed) moved group by 2, 3;
  else
    ${ADD} select tg_table_name, is_draft, locale, -sum(rows) from %1$I.${DELTAS} where "table" = tg_table_name group by 2, 3;
  end if;
  ${FOLD_BY_CHANCE}
end `;

const COUNT_CHANGES = `
begin
  if tg_op = 'TRUNCATE' then
    ${ADD} values (tg_table_name, false, '', 0);
  else
    ${ADD} select tg_table_name, false, '', 0 where exists (select from changed);
  end if;
  ${FOLD_BY_CHANCE}
end `;

/**
 * Reads by index even where the planner would not: to it, a table of few rows is read fastest from end to end, and it
 * does not know how many dead ones are in it since the plan was made.
 */
const BY_INDEX = "set enable_seqscan = off set enable_bitmapscan = off";
/** Sees what the statement sees that it is a part of. plpgsql keeps plans, as SQL functions do from PostgreSQL 18 on: 140 us. */
const READ_BY_INDEX = `stable parallel safe ${BY_INDEX}`;

/** From where on a table's deltas count; from the first where the horizon is another cluster's. */
const horizonOf = (table: string): string =>
  `coalesce((select case when horizon <= pg_snapshot_xmax(pg_current_snapshot()) then horizon end from %1$I.${BASES} where "table" = ${table} order by horizon desc limit 1), '0')`;

const READ_TOTAL = `
begin
  return (select coalesce(sum(d.rows), 0)::bigint from %1$I.${DELTAS} d where d."table" = of_table and d.xid >= ${horizonOf("of_table")}
    and (drafts is null or d.is_draft = drafts) and (in_locale is null or d.locale = in_locale));
end `;

const READ_STAMP = `
begin
  return (select coalesce(sum((select sum(d.stamp)::bigint from %1$I.${DELTAS} d where d."table" = name and d.xid >= ${horizonOf("name")})), 0)::bigint & ${STAMP_MASK}
    from unnest(tables) t(name));
end `;

/** Functions that triggers run. */
export const TRIGGER_FUNCTIONS = ["plinth_count_rows", "plinth_count_changes"] as const;

/** Tables of totals: by name, the statements that make each. */
export const TOTALS_TABLES = [
  { name: DELTAS, sql: DELTAS_SQL },
  { name: BASES, sql: BASES_SQL },
] as const;

/**
 * Functions of totals: by name, the statement that makes each, or replaces an older one.
 *
 * `plinth_total(table, drafts, locale)`: rows of a table; null: drafts as well as published ones, all locales.
 * `plinth_stamp(tables)`: below 2^40; the same number again means that none of these tables has changed.
 * `plinth_fold_counts(table)`: adds up what writers left.
 */
export const TOTALS_FUNCTIONS = [
  {
    name: "plinth_fold_counts",
    sql: createFunction({ signature: "plinth_fold_counts(written text)", returns: `void ${BY_INDEX}`, body: FOLD }),
  },
  {
    name: "plinth_count_rows",
    sql: createFunction({ signature: "plinth_count_rows()", returns: "trigger", body: COUNT_ROWS }),
  },
  {
    name: "plinth_count_changes",
    sql: createFunction({ signature: "plinth_count_changes()", returns: "trigger", body: COUNT_CHANGES }),
  },
  {
    name: "plinth_total",
    sql: createFunction({
      signature: "plinth_total(of_table text, drafts boolean, in_locale text)",
      returns: `bigint ${READ_BY_INDEX}`,
      body: READ_TOTAL,
    }),
  },
  {
    name: "plinth_stamp",
    sql: createFunction({
      signature: "plinth_stamp(tables text[])",
      returns: `bigint ${READ_BY_INDEX}`,
      body: READ_STAMP,
    }),
  },
] as const;

/**
 * Takes over what `plinth_counts` counted. Processes of an older version go on: the triggers that run for them note
 * changes in the new table, and they read them in the view; it has a `ctid`, by which a function of theirs that waits
 * for this change deletes.
 */
export const REPLACE_COUNTS_SQL: readonly string[] = [
  `lock table ${FORMER_COUNTS} in access exclusive mode`,
  ...TOTALS_FUNCTIONS.map(({ sql }) => sql),
  `insert into ${DELTAS} ("table", is_draft, locale, rows) select "table", is_draft, locale, sum(rows) from ${FORMER_COUNTS} group by 1, 2, 3`,
  `drop table ${FORMER_COUNTS}`,
  `create view ${FORMER_COUNTS} as select ctid, "table", is_draft, locale, rows, stamp as changes from ${DELTAS}`,
];

/** Tables whose horizon is another cluster's: what they count is right, and has to be added up before it is not. */
export const FOREIGN_BASES = `select "table" from ${BASES} where horizon > pg_snapshot_xmax(pg_current_snapshot())`;

/** Adds up what writers left of one table. */
export const foldSql = (table: string): string => `select plinth_fold_counts(${literal(table)})`;

/** Rows that writers may leave of a table until that is worth a fold. */
const FEW = 8;

/** The same for all tables of which some are left. */
export const FOLD_ALL = `select plinth_fold_counts("table") from (select "table" from ${DELTAS} group by "table" having count(*) > ${FEW}) written`;

/**
 * Sets the counts of a table right: adds what is missing to what was counted. There may be no writes of the table
 * meanwhile.
 */
export function recountSql(table: string): string {
  const key = `${literal(table)}, is_draft, locale`;
  return `insert into ${DELTAS} ("table", is_draft, locale, rows) select ${key}, sum(n) from (select published_at is null as is_draft, locale, count(*) as n from ${identifier(table)} group by 1, 2 union all select is_draft, locale, -sum(rows) from ${DELTAS} where "table" = ${literal(table)} group by 1, 2) c group by is_draft, locale`;
}

/** Deletes the counts of a table that is gone. */
export const forgetCounts = (table: string): readonly string[] =>
  [DELTAS, BASES].map((name) => `delete from ${name} where "table" = ${literal(table)}`);

/** Lets a renamed table keep its counts. The next fold gives it a horizon again. */
export const renameCounts = (from: string, to: string): readonly string[] => [
  ...forgetCounts(to),
  `update ${DELTAS} set "table" = ${literal(to)} where "table" = ${literal(from)}`,
  `delete from ${BASES} where "table" = ${literal(from)}`,
];

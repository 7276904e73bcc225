import { identifier, literal } from "../sql/sql.js";

/**
 * Table of what changed in the tables of content: every statement that writes one adds a row, and the sums of rows with
 * the same key are what counts. `rows`: how many it added or took away, of drafts or published rows (`is_draft`) of a
 * locale. `changes`: 1 or more, so that the sum over a table grows with every commit that wrote it, and two reads that
 * see the same sum see the same rows. Link tables have changes only.
 *
 * Nothing is ever updated, so no writer waits for another; a statement in 50, by chance, replaces the rows of its table
 * that no other holds by their sum.
 */
export const COUNTS = "plinth_counts";

/** How many statements write, on average, until one adds up what they left. */
const FOLD_EVERY = 50;

const COUNTS_SQL = [
  `create table ${COUNTS} ("table" text not null, is_draft boolean not null, locale text not null, rows bigint not null, changes bigint not null) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`,
  `create index ${COUNTS}_key on ${COUNTS} ("table", is_draft, locale) include (rows, changes)`,
].join("; ");

/** A function whose text names its tables with their schema: what writes by SQL may have another search path. */
const createFunction = (name: string, returns: string, body: string): string =>
  `do $do$ begin execute format($format$create function ${name} returns ${returns} language plpgsql as $body$${body}$body$$format$, current_schema()); end $do$`;

/** Rows that another transaction adds up at the moment are left to it. Where rows may not change under a snapshot, all are. */
const FOLD = `
begin
  if current_setting('transaction_isolation') <> 'read committed' then return; end if;
  with gone as (
    delete from %1$I.${COUNTS} where ctid = any (array(select ctid from %1$I.${COUNTS} where "table" = written for update skip locked))
    returning is_draft, locale, rows, changes)
  insert into %1$I.${COUNTS} select written, is_draft, locale, sum(rows), sum(changes) from gone group by is_draft, locale;
end `;

const FOLD_BY_CHANCE = `if random() < ${1 / FOLD_EVERY} then perform %1$I.plinth_fold_counts(tg_table_name); end if; return null;`;

/** TRUNCATE resets the count: it locks the table against other writers. */
const COUNT_ROWS = `
begin
  if tg_op = 'INSERT' then
    insert into %1$I.${COUNTS} select tg_table_name, published_at is null, locale, count(*), 1 from added group by 2, 3;
  elsif tg_op = 'DELETE' then
    insert into %1$I.${COUNTS} select tg_table_name, published_at is null, locale, -count(*), 1 from removed group by 2, 3;
  elsif tg_op = 'UPDATE' then
    insert into %1$I.${COUNTS} select tg_table_name, is_draft, locale, sum(n), 1 from (
      select published_at is null as is_draft, locale, 1 as n from added
      union all select published_at is null, locale, -1 from removed) moved group by 2, 3;
  else
    insert into %1$I.${COUNTS} select tg_table_name, is_draft, locale, -sum(rows), 1 from %1$I.${COUNTS} where "table" = tg_table_name group by 2, 3;
  end if;
  ${FOLD_BY_CHANCE}
end `;

const COUNT_CHANGES = `
begin
  if tg_op = 'TRUNCATE' then
    insert into %1$I.${COUNTS} values (tg_table_name, false, '', 0, 1);
  else
    insert into %1$I.${COUNTS} select tg_table_name, false, '', 0, 1 where exists (select from changed);
  end if;
  ${FOLD_BY_CHANCE}
end `;

/** What counting needs in every database: by name, the statement that makes it. */
export const COUNTER_PARTS = {
  table: { name: COUNTS, sql: COUNTS_SQL },
  functions: [
    { name: "plinth_fold_counts", sql: createFunction("plinth_fold_counts(written text)", "void", FOLD) },
    { name: "plinth_count_rows", sql: createFunction("plinth_count_rows()", "trigger", COUNT_ROWS) },
    { name: "plinth_count_changes", sql: createFunction("plinth_count_changes()", "trigger", COUNT_CHANGES) },
  ],
} as const;

/**
 * Sets the counts of a table right: adds what is missing to what was counted. There may be no writes of the table
 * meanwhile.
 */
export function recountSql(table: string): string {
  const key = `${literal(table)}, is_draft, locale`;
  return `insert into ${COUNTS} select ${key}, sum(n), 1 from (select published_at is null as is_draft, locale, count(*) as n from ${identifier(table)} group by 1, 2 union all select is_draft, locale, -sum(rows) from ${COUNTS} where "table" = ${literal(table)} group by 1, 2) c group by is_draft, locale`;
}

/** Deletes the counts of a table that is gone. */
export const forgetCounts = (table: string): string => `delete from ${COUNTS} where "table" = ${literal(table)}`;

/** Lets a renamed table keep its counts. */
export const renameCounts = (from: string, to: string): string =>
  `update ${COUNTS} set "table" = ${literal(to)} where "table" = ${literal(from)}`;

/** Sequence of the ids of components; a process takes 100 of them at a time: `nextval` up to `nextval + 99`. */
export const COMPONENT_IDS = "plinth_component_ids";

/**
 * Table that keeps unique attributes inside components unique, one row per published value: `type` (uid of the owner),
 * `path` (of the attribute: `seo.slug`), `locale`, `hash` (of the value), `document_id`.
 * Unique (type, path, locale, hash); index (type, document_id).
 */
export const COMPONENT_UNIQUES = "plinth_component_uniques";

/** The statements that make it. */
export const COMPONENT_UNIQUES_SQL = [
  `create table ${COMPONENT_UNIQUES} (type text not null, path text not null, locale text not null default '', hash text not null, document_id text not null)`,
  `create unique index ${COMPONENT_UNIQUES}_value on ${COMPONENT_UNIQUES} (type, path, locale, hash)`,
  `create index ${COMPONENT_UNIQUES}_document on ${COMPONENT_UNIQUES} (type, document_id)`,
].join("; ");

/**
 * Table of the attempts that rate limits count, in fixed intervals: `key` (a hash), `value`, `ends_at`. Unlogged: after
 * a crash of the server counting starts again.
 */
export const ATTEMPTS = "plinth_attempts";

/** The statements that make it. */
export const ATTEMPTS_SQL = [
  `create unlogged table ${ATTEMPTS} (key text primary key, value bigint not null, ends_at timestamptz not null) with (fillfactor = 70)`,
  `create index ${ATTEMPTS}_end on ${ATTEMPTS} (ends_at)`,
].join("; ");

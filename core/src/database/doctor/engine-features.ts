import { runBatch } from "../driver/batch.js";
import { answers, answersInTransaction, type Feature, type Trial } from "./engine-feature.js";

const STOPS = "the app does not start";
const FAILS = "the app does not work";

const TABLE = `create table plinth_probe (id bigint generated always as identity primary key, name text not null,
  locale text not null default '', published_at timestamptz(3), value jsonb)`;
const ROWS = "insert into plinth_probe (name) values ('a'), ('b')";
const WORKS = "select true as works";

const tables: readonly Feature<Trial>[] = [
  {
    name: "version 13",
    isNeeded: true,
    without: STOPS,
    use: answers("select current_setting('server_version_num')::int >= 130000 as works"),
  },
  {
    name: "tables of its own, and their indexes",
    isNeeded: true,
    without: STOPS,
    use: answersInTransaction(
      TABLE,
      "create unique index plinth_probe_name on plinth_probe (md5(name))",
      "create index plinth_probe_page on plinth_probe (locale, id) include (name) where published_at is null",
      "create index plinth_probe_hash on plinth_probe using hash (name)",
      "create sequence plinth_probe_ids increment by 100",
      "select nextval('plinth_probe_ids') = 1 as works",
    ),
  },
  {
    name: "references between tables",
    isNeeded: true,
    without: STOPS,
    use: answersInTransaction(
      TABLE,
      "create table plinth_probe_links (source bigint not null references plinth_probe (id) on delete cascade)",
      "with added as (insert into plinth_probe (name) values ('a') returning id) insert into plinth_probe_links select id from added",
      "delete from plinth_probe",
      "select count(*) = 0 as works from plinth_probe_links",
    ),
  },
  {
    name: "the catalog",
    isNeeded: true,
    without: STOPS,
    use: answersInTransaction(
      TABLE,
      `select string_agg(format_type(a.atttypid, a.atttypmod), ',' order by a.attnum) = 'bigint,text,text,timestamp(3) with time zone,jsonb' as works
        from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.oid = to_regclass('plinth_probe') and c.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped`,
    ),
  },
  {
    name: "functions in PL/pgSQL",
    isNeeded: true,
    without: STOPS,
    use: answersInTransaction(
      "do $do$ begin execute 'create function plinth_probe(n bigint) returns bigint language plpgsql stable parallel safe set enable_seqscan = off as $body$ begin return n + 1; end $body$'; end $do$",
      "select plinth_probe(1) = 2 as works",
    ),
  },
  {
    name: "triggers of statements, with the rows that they changed",
    isNeeded: true,
    without:
      "totals are not counted, and the app does not start; on Citus its writes note what they change, and there is no audit log",
    isSparedOn: "citus",
    use: answersInTransaction(
      TABLE,
      "create function plinth_probe_count() returns trigger language plpgsql as $body$ begin perform set_config('plinth.probe', (select count(*) from added)::text, true); return null; end $body$",
      "create trigger plinth_probe_insert after insert on plinth_probe referencing new table as added for each statement execute function plinth_probe_count()",
      ROWS,
      "select current_setting('plinth.probe') = '2' as works",
    ),
  },
  {
    name: "tables that inherit, and rows with the id of their transaction",
    isNeeded: false,
    without: "no events, and with them no webhooks and no purges of HTTP caches",
    use: answersInTransaction(
      TABLE,
      "create table plinth_probe_day (written xid8 not null default pg_current_xact_id(), primary key (id)) inherits (plinth_probe)",
      "insert into plinth_probe_day (id, name) values (1, 'a')",
      "select bool_and(xmin = written::xid) as works from plinth_probe_day",
    ),
  },
  {
    name: "tables without a log",
    isNeeded: true,
    isSparedOn: "citus",
    without: STOPS,
    use: answersInTransaction("create unlogged table plinth_probe (key text primary key)", WORKS),
  },
  {
    name: "rows that publications name by an index",
    isNeeded: true,
    without: STOPS,
    use: answersInTransaction(
      TABLE,
      "create unique index plinth_probe_identity on plinth_probe (name, locale)",
      "alter table plinth_probe replica identity using index plinth_probe_identity",
      WORKS,
    ),
  },
];

const statements: readonly Feature<Trial>[] = [
  {
    name: "transactions and savepoints",
    isNeeded: true,
    without: FAILS,
    use: answersInTransaction(
      ...[TABLE, "savepoint inner_one", ROWS, "rollback to savepoint inner_one"],
      "select count(*) = 0 as works from plinth_probe",
    ),
  },
  {
    name: "several statements in one round trip",
    isNeeded: true,
    without: FAILS,
    use: async ({ session }) => {
      const one = { text: "select $1::int as n", values: [1] };
      const rows = await runBatch(session, [{ text: "begin" }, one, one, { text: "commit" }]);
      return rows.flat().length === 2 ? undefined : "the answers are not those of each statement";
    },
  },
  {
    name: "transaction ids of 64 bits, and snapshots",
    isNeeded: true,
    without: STOPS,
    use: answersInTransaction(
      "select pg_current_xact_id() >= pg_snapshot_xmin(pg_current_snapshot()) and pg_snapshot_xmax(pg_current_snapshot()) > '0'::xid8 as works",
    ),
  },
  {
    name: "settings of a transaction",
    isNeeded: true,
    without: "changes of the tables and imports end with the time of a request",
    use: answersInTransaction("select set_config('statement_timeout', '0', true) = '0' as works"),
  },
  {
    name: "answers in JSON, with what is related",
    isNeeded: true,
    without: FAILS,
    use: answers(`select json_build_object('list', j.list)::jsonb = '{"list":[{"n":1},{"n":2}]}' as works from (select 1) one
      left join lateral (select json_agg(json_build_object('n', n) order by place) as list from unnest(array[1, 2]) with ordinality u(n, place)) j on true`),
  },
  {
    name: "rows from JSON",
    isNeeded: true,
    without: FAILS,
    use: answers(`select sum(n) = 3 and (select jsonb_typeof(jsonb_agg(e)) from jsonb_array_elements('[1]') e) = 'array' as works
      from jsonb_to_recordset('[{"n":1},{"n":2}]') as given(n int)`),
  },
  {
    name: "writes that answer, one in another",
    isNeeded: true,
    without: FAILS,
    use: answersInTransaction(
      ...[TABLE, "create unique index plinth_probe_name on plinth_probe (name)"],
      `with added as materialized (insert into plinth_probe (name) values ('a') returning id, name)
        insert into plinth_probe (name) select name || 'b' from added on conflict (name) do update set locale = excluded.locale returning true as works`,
    ),
  },
  {
    name: "locks of rows",
    isNeeded: true,
    without: FAILS,
    use: answersInTransaction(
      ...[TABLE, ROWS],
      "select id from plinth_probe order by id for no key update",
      "select true as works from plinth_probe where name = 'a' for update skip locked",
    ),
  },
  {
    name: "prepared statements by name",
    isNeeded: false,
    without: 'each statement is planned again: about twice the time for one document ("preparedStatements": false)',
    use: askTwice,
  },
  {
    name: "case of letters in every script",
    isNeeded: false,
    without: "filters ignore the case of A to Z only",
    use: answers(
      "select count(*) > 0 as works from pg_collation where collname in ('pg_c_utf8', 'C.utf8', 'C.UTF-8', 'und-x-icu')",
    ),
  },
  {
    name: "reading at one moment (repeatable read)",
    isNeeded: false,
    without: "no plinth export",
    use: answersInTransaction(
      "set transaction isolation level repeatable read, read only",
      "select current_setting('transaction_isolation') = 'repeatable read' as works",
    ),
  },
  {
    name: "partitions by time",
    isNeeded: false,
    without: "no outbox of events",
    use: answersInTransaction(
      "create table plinth_probe (id bigint, at timestamptz, primary key (id, at)) partition by range (at)",
      "create table plinth_probe_day partition of plinth_probe for values from ('2000-01-01') to ('2000-01-02')",
      "insert into plinth_probe values (1, '2000-01-01')",
      "select count(*) = 1 as works from plinth_probe_day",
    ),
  },
];

async function askTwice({ session }: Trial): Promise<string | undefined> {
  const text = "select $1::int + 1 as n";
  const answered: unknown[] = [];
  for (const value of [1, 2])
    answered.push((await session.query<{ n: number }>({ name: "plinth_probe", text, values: [value] })).rows[0]?.n);
  return answered.join() === "2,3" ? undefined : "a name stands for another statement";
}

/** What every database has to have, the embedded one as well. */
export const FEATURES: readonly Feature<Trial>[] = [...tables, ...statements];

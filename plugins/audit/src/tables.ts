import { nextIdOf } from "@plinth/core/reads";

/** Table of entries. */
export const ENTRIES = "plinth_audit";
/** Table of seals. */
export const SEALS = "plinth_audit_seals";
/** Sequence of the ids of entries. */
export const SEQUENCE = "plinth_audit_id";
/** Function that deletes what is older than a seal, and than some days. */
export const CUT = "plinth_audit_cut";

const ENTRY_TABLE = `create table ${ENTRIES} (id bigint primary key default ${nextIdOf(SEQUENCE)}, at timestamptz(3) not null default clock_timestamp(),
  action text not null, result text not null, transport text not null, actor_kind text, actor_id text, actor_name text,
  uid text, document_id text, locales text[], attributes text[], request_id text, address text, agent text, details jsonb)`;

const SEAL_TABLE = `create table ${SEALS} (id bigint primary key, at timestamptz(3) not null, last bigint not null,
  ids bigint[] not null, digests text[] not null, previous text not null, hash text not null)`;

const REFUSE = `create or replace function plinth_audit_refuse() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('plinth_audit.cutting', true) = 'yes' then return null; end if;
  raise exception 'The audit log is append only: % of % is refused', tg_op, tg_table_name using errcode = '42501',
    hint = 'Entries that are too old are deleted by ${CUT}(), up to a seal.';
end $$`;

/**
 * The seal up to which it was cut stays, and an entry says so: the rest of the chain begins with it. The first seal is none,
 * so that a chain which begins with it is known to be all of it.
 */
const CUT_FUNCTION = `create or replace function ${CUT}(upto bigint, days int) returns bigint language plpgsql as $$
declare anchor ${SEALS}; gone bigint; youngest timestamptz; kept constant timestamptz := now() - days * interval '1 day';
begin
  if days is null or days < 1 then raise exception 'The audit log keeps entries for at least 1 day, not %', days; end if;
  select * into anchor from ${SEALS} where id = upto;
  if anchor.id is null then raise exception 'There is no seal %', upto; end if;
  if upto = 1 then raise exception 'The audit log is not cut at its first seal'; end if;
  if anchor.at > kept then raise exception 'The audit log is not cut: seal % is younger than % day(s)', upto, days; end if;
  perform set_config('plinth_audit.cutting', 'yes', true);
  with old as (delete from ${ENTRIES} where id <= anchor.last returning at) select count(*), max(at) into gone, youngest from old;
  if youngest > kept then raise exception 'The audit log is not cut: an entry of seal % is younger than % day(s)', upto, days; end if;
  delete from ${SEALS} where id < upto;
  perform set_config('plinth_audit.cutting', '', true);
  insert into ${ENTRIES} (action, result, transport, details)
    values ('audit.cut', 'accepted', 'code', jsonb_build_object('seal', upto, 'hash', anchor.hash, 'entries', gone));
  return gone;
end $$`;

/** Makes the function as it is now, and drops the one of before, which asked for no age: tables that are there stay as they are. */
export const RENEW_CUT: readonly string[] = [`drop function if exists ${CUT}(bigint)`, CUT_FUNCTION];

const guardOf = (table: string): string =>
  `create trigger ${table}_append_only before update or delete or truncate on ${table} for each statement execute function plinth_audit_refuse()`;

/** What the plugin keeps. */
export const TABLES: readonly { readonly name: string; readonly sql: readonly string[] }[] = [
  {
    name: ENTRIES,
    sql: [
      `create sequence if not exists ${SEQUENCE}`,
      ENTRY_TABLE,
      `create index ${ENTRIES}_at on ${ENTRIES} (at, id)`,
      `create index ${ENTRIES}_actor on ${ENTRIES} (actor_id, at) where actor_id is not null`,
      `create index ${ENTRIES}_subject on ${ENTRIES} (document_id, at) where document_id is not null`,
      REFUSE,
      guardOf(ENTRIES),
    ],
  },
  { name: SEALS, sql: [SEAL_TABLE, guardOf(SEALS), CUT_FUNCTION] },
];

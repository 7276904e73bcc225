/** Where versions are kept. */
export const TABLE = "plinth_history";

/** The condition of a version with which what was published before is live no more. */
export const endsLive = (status: string, action: string): string =>
  `(${status} = 'published' or ${action} in ('unpublish', 'delete'))`;

/*
 * `id` is the order of the writes; `key` is the version's name for clients, because the gaps in a row of numbers would say
 * how many versions there are that one does not see. What was kept of a row is in `content`: `values` as archives have them, and
 * `links` as components do.
 */
const CREATE = `create table ${TABLE} (id bigint generated always as identity, key uuid not null default gen_random_uuid(),
  uid text not null, document_id text not null, locale text not null, at timestamptz(3) not null default clock_timestamp(),
  action text not null, status text not null, origin jsonb, restored_from uuid, content jsonb not null,
  primary key (document_id, uid, locale, id))`;

/** lz4 takes a fourth of the time of a version less than what PostgreSQL does by itself, which stays where the server has no lz4. */
const COMPRESS = `do $$ begin execute 'alter table ${TABLE} alter content set compression lz4';
  exception when feature_not_supported or invalid_parameter_value or syntax_error then null; end $$`;

/** The table with its indexes; that of times is a BRIN, which costs a write nothing. */
export const historyTable = {
  name: TABLE,
  sql: [
    CREATE,
    COMPRESS,
    `create index ${TABLE}_at on ${TABLE} using brin (at)`,
    `create index ${TABLE}_deleted on ${TABLE} (uid, id) where action = 'delete'`,
  ],
};

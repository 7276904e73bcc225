/*
 * `locale` is '' on types that are not localised. `actor` is who planned it, `{ kind, id }`; null: code.
 * A plan is deleted in the transaction that does it, so what is here is to be done, or has failed.
 */
const SCHEDULES = `create table plinth_schedule (id bigint generated always as identity primary key, uid text not null, document_id text not null,
  locale text not null, action text not null, at timestamptz not null, actor jsonb, failed_at timestamptz, problems jsonb not null default '[]',
  unique (uid, document_id, locale, action))`;

const RELEASES = `create table plinth_release (id bigint generated always as identity primary key, name text not null, state text not null default 'open',
  transaction boolean not null, at timestamptz, creator jsonb, actor jsonb, created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz, ended_at timestamptz)`;

const ACTIONS = `create table plinth_release_action (release bigint not null references plinth_release on delete cascade, place int not null,
  uid text not null, document_id text not null, locale text not null, action text not null, state text not null default 'waiting',
  problems jsonb not null default '[]', primary key (release, uid, document_id, locale))`;

const TABLES = [
  {
    name: "plinth_schedule",
    sql: [SCHEDULES, "create index plinth_schedule_due on plinth_schedule (at) where failed_at is null"],
  },
  {
    name: "plinth_release",
    sql: [RELEASES, "create index plinth_release_due on plinth_release (at) where state in ('scheduled', 'running')"],
  },
  { name: "plinth_release_action", sql: [ACTIONS] },
] as const;

/** What the plugin keeps; in `register`. */
export function declareTables(add: (name: string, table: (typeof TABLES)[number]) => void): void {
  for (const table of TABLES) add(table.name, table);
}

/*
 * `locale` is '' on types that are not localised. `actor` is who planned it, `{ kind, id }`; null: code.
 * A plan is deleted in the transaction that does it, so what is here is to be done, or has failed.
 */
const SCHEDULES = `create table plinth_schedule (id bigint generated always as identity primary key, uid text not null, document_id text not null,
  locale text not null, action text not null, at timestamptz not null, actor jsonb, failed_at timestamptz, problems jsonb not null default '[]',
  unique (uid, document_id, locale, action))`;

/*
 * What came of plans: a row for each that was done or refused. `problems` is empty where it was done.
 */
const PAST = `create table plinth_schedule_past (id bigint generated always as identity primary key, uid text not null, document_id text not null,
  locale text not null, action text not null, at timestamptz not null, actor jsonb, ended_at timestamptz not null default clock_timestamp(),
  problems jsonb not null default '[]')`;

const RELEASES = `create table plinth_release (id bigint generated always as identity primary key, name text not null, state text not null default 'open',
  transaction boolean not null, at timestamptz, creator jsonb, actor jsonb, created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz, ended_at timestamptz)`;

const ACTIONS = `create table plinth_release_action (release bigint not null references plinth_release on delete cascade, place int not null,
  uid text not null, document_id text not null, locale text not null, action text not null, state text not null default 'waiting',
  problems jsonb not null default '[]', primary key (release, uid, document_id, locale))`;

/* What came of each time that a release was run; `outcomes` is what was refused, and why. */
const RUNS = `create table plinth_release_run (id bigint generated always as identity primary key,
  release bigint not null references plinth_release on delete cascade, state text not null, actor jsonb, started_at timestamptz,
  ended_at timestamptz not null default clock_timestamp(), documents int not null, outcomes jsonb not null default '[]')`;

const TABLES = [
  {
    name: "plinth_schedule",
    sql: [SCHEDULES, "create index plinth_schedule_due on plinth_schedule (at) where failed_at is null"],
  },
  {
    name: "plinth_schedule_past",
    sql: [
      PAST,
      "create index plinth_schedule_past_at on plinth_schedule_past (at)",
      "create index plinth_schedule_past_of on plinth_schedule_past (uid, document_id)",
    ],
  },
  {
    name: "plinth_release",
    sql: [
      RELEASES,
      "create index plinth_release_due on plinth_release (at) where state in ('scheduled', 'running')",
      "create index plinth_release_at on plinth_release (at) where at is not null",
    ],
  },
  {
    name: "plinth_release_action",
    sql: [ACTIONS, "create index plinth_release_action_of on plinth_release_action (uid, document_id)"],
  },
  { name: "plinth_release_run", sql: [RUNS, "create index plinth_release_run_of on plinth_release_run (release)"] },
] as const;

/** What the plugin keeps; in `register`. */
export function declareTables(add: (name: string, table: (typeof TABLES)[number]) => void): void {
  for (const table of TABLES) add(table.name, table);
}

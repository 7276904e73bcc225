import type { App } from "@plinth/core";

/*
 * Tables as pg-boss 10.4 wants them, in the schema of the app, where a dump, a drop of the schema and the search path of a
 * role include them. Unlike its own, the table of jobs is no partition a queue: those are made by statements that lock, when
 * a queue is first used. It has indexes for what is asked of it here.
 *
 * @source https://github.com/timgit/pg-boss/blob/10.4.0/src/plans.js
 */

const QUEUES = `create table plinth_queue (name text primary key, policy text, retry_limit int, retry_delay int, retry_backoff bool,
  expire_seconds int, retention_minutes int, dead_letter text, partition_name text,
  created_on timestamptz not null default now(), updated_on timestamptz not null default now())`;

/** The order counts: what comes before `active` waits. */
const STATES =
  "create type plinth_job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed')";

/** Rows come, change twice and go. */
const JOBS = `create table plinth_job (id uuid not null default gen_random_uuid(), name text not null, priority int not null default 0,
  data jsonb, state plinth_job_state not null default 'created', retry_limit int not null default 2, retry_count int not null default 0,
  retry_delay int not null default 0, retry_backoff bool not null default false, start_after timestamptz not null default now(),
  started_on timestamptz, singleton_key text, singleton_on timestamp, expire_in interval not null default interval '15 minutes',
  created_on timestamptz not null default now(), completed_on timestamptz, keep_until timestamptz not null default 'infinity',
  output jsonb, dead_letter text, policy text, primary key (name, id))
  with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000)`;

const INDEXES: readonly string[] = [
  "create index plinth_job_next on plinth_job (name, priority desc, created_on, id) include (start_after) where state < 'active'",
  "create index plinth_job_due on plinth_job (name, start_after) where state < 'active'",
  // One waits of those with a key; a job without one has its own id as key.
  "create unique index plinth_job_key on plinth_job (name, coalesce(singleton_key, '')) where state = 'created' and policy = 'short'",
  "create index plinth_job_active on plinth_job (started_on) where state = 'active'",
  "create index plinth_job_dead on plinth_job (completed_on) where state = 'failed'",
];

/** The latest time of each cron expression at which its job was enqueued. */
const CRONS =
  "create table plinth_cron (name text primary key, expression text not null, timezone text not null, ticked_at timestamptz not null)";

const TABLES = [
  { name: "plinth_queue", sql: [QUEUES] },
  { name: "plinth_job", sql: ["drop type if exists plinth_job_state", STATES, JOBS, ...INDEXES] },
  { name: "plinth_cron", sql: [CRONS] },
] as const;

/** What the plugin keeps; in `register`. */
export function declareTables(add: (name: string, table: (typeof TABLES)[number]) => void): void {
  for (const table of TABLES) add(table.name, table);
}

/** Says what queues there are: pg-boss takes jobs of those only. At most one waits of the jobs with a key. */
export async function declareQueues({ db }: App, names: readonly string[]): Promise<void> {
  const text =
    "insert into plinth_queue (name, policy) select name, 'short' from unnest($1::text[]) name on conflict do nothing";
  await db.query({ text, values: [names] });
}

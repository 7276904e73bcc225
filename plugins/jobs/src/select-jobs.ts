import type { App } from "@plinth/core";
import { JobNotFoundError } from "./errors.js";
import { jobsService } from "./jobs-service.js";

/** What a job may be in. */
export const STATES = ["waiting", "running", "dead"] as const;

/** The state of a job. */
export type JobState = (typeof STATES)[number];

/** A job as it is shown to people. */
export interface ShownJob {
  readonly id: string;
  readonly job: string;
  readonly state: JobState;
  readonly key: string | null;
  /** How often it was begun. */
  readonly attempts: number;
  readonly priority: number;
  readonly createdAt: Date;
  /** When it may run, or was begun last. */
  readonly at: Date;
  readonly startedAt: Date | null;
  /** When it failed for the last time. */
  readonly endedAt: Date | null;
  /** Why it failed last. */
  readonly reason: string | null;
  readonly data: unknown;
}

/** Which jobs. */
export interface Selection {
  readonly states: readonly JobState[];
  readonly id?: string | undefined;
  readonly job?: string | undefined;
}

const WHICH = "state = any($1::text[]) and ($2::text is null or id::text = $2) and ($3::text is null or name = $3)";

const valuesOf = ({ states, id, job }: Selection): readonly unknown[] => [states, id ?? null, job ?? null];

const SELECT = `select id::text, name as job, state, key, least(attempt, attempts) as attempts, priority, created_at as "createdAt",
  case state when 'waiting' then at else coalesce(started_at, at) end as at, started_at as "startedAt",
  case state when 'dead' then at end as "endedAt", fault ->> 'message' as reason, data
  from plinth_jobs where ${WHICH}
  order by case state when 'running' then started_at else at end, plinth_jobs.id limit $4`;

/** The oldest first, at most `limit`; none for a name that no job has. */
export async function selectJobs(app: App, selection: Selection, limit: number): Promise<readonly ShownJob[]> {
  return await app.db.query<ShownJob & object>({ text: SELECT, values: [...valuesOf(selection), limit] });
}

const CHANGES = {
  retry: "update plinth_jobs j set state = 'waiting', at = now(), attempts = attempt + 1",
  drop: "delete from plinth_jobs j",
};

/** Jobs that one statement changes: it holds their locks for a moment, and ends long before it would time out. */
const BATCH = 10_000;

/** Of the jobs behind an id, `$4`: each is met once, also where it is dead again meanwhile. */
const changeSome = (verb: keyof typeof CHANGES): string => `with due as materialized (
    select id, name from plinth_jobs where ${WHICH} and state <> 'running' and id > $4::bigint order by id limit ${BATCH} for update),
  changed as (${CHANGES[verb]} ${verb === "drop" ? "using" : "from"} due where j.id = due.id returning j.id)
  select max(id)::text as last, count(*)::int as count, coalesce(array_agg(distinct name), '{}') as names from due`;

interface Changed {
  /** The highest id; null: there was none. */
  readonly last: string | null;
  readonly count: number;
  readonly names: readonly string[];
}

/**
 * Has jobs run again, or deletes them, however many they are: they are not read, and those of a batch are changed before the
 * next ones are looked for.
 *
 * @returns how many
 * @throws PLINTH_JOBS_NOT_FOUND (404) for an id that is of none
 */
export async function changeJobs(app: App, selection: Selection, verb: "retry" | "drop"): Promise<number> {
  const { wakeUp } = app.extension(jobsService).parts;
  const text = changeSome(verb);
  let total = 0;
  for (let after: string | null = "0"; after !== null; ) {
    const [changed]: readonly Changed[] = await app.db.query<Changed & object>({
      text,
      values: [...valuesOf(selection), after],
    });
    total += changed?.count ?? 0;
    for (const name of changed?.names ?? []) wakeUp.tell(name);
    after = changed?.last ?? null;
  }
  if (selection.id !== undefined && total === 0) throw new JobNotFoundError({ id: selection.id });
  return total;
}

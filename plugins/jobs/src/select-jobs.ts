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
  readonly limit?: number;
}

const SELECT = `select id::text, name as job, state, key, least(attempt, attempts) as attempts, priority, created_at as "createdAt",
  case state when 'waiting' then at else coalesce(started_at, at) end as at, started_at as "startedAt",
  case state when 'dead' then at end as "endedAt", fault ->> 'message' as reason, data
  from plinth_jobs where state = any($1::text[]) and ($2::text is null or id::text = $2) and ($3::text is null or name = $3)
  order by case state when 'running' then started_at else at end, id limit $4`;

/** The oldest first; none for a name that no job has. */
export async function selectJobs(app: App, { states, id, job, limit }: Selection): Promise<readonly ShownJob[]> {
  return await app.db.query<ShownJob & object>({
    text: SELECT,
    values: [states, id ?? null, job ?? null, limit ?? null],
  });
}

/**
 * Has jobs run again, or deletes them.
 *
 * @returns how many
 * @throws PLINTH_JOBS_NOT_FOUND (404) for an id that is of none
 */
export async function changeJobs(app: App, selection: Selection, verb: "retry" | "drop"): Promise<number> {
  const { store, wakeUp } = app.extension(jobsService).parts;
  const found = await selectJobs(app, selection);
  if (selection.id !== undefined && found.length === 0) throw new JobNotFoundError({ id: selection.id });
  const count = await store[verb](found.map(({ id }) => id));
  for (const name of new Set(found.map(({ job }) => job))) wakeUp.tell(name);
  return count;
}

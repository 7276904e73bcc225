import type { App } from "@plinth/core";
import { jobsService } from "../jobs-service.js";

/** What a job may be in. */
export const STATES = ["waiting", "running", "dead"] as const;

/** The state of a job. */
export type JobState = (typeof STATES)[number];

/** A job as commands show it. */
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

/** The oldest first. @throws PLINTH_JOBS_UNKNOWN (500) for a name that is neither declared nor that of a stored job */
export async function selectJobs(app: App, { states, id, job, limit }: Selection): Promise<readonly ShownJob[]> {
  const values = [states, id ?? null, job ?? null, limit ?? null];
  const found = await app.db.query<ShownJob & object>({ text: SELECT, values });
  // Jobs of a name that no code has any more can be listed and dropped.
  if (found.length === 0 && job !== undefined) app.extension(jobsService).definitions.get(job);
  return found;
}

import type { App } from "@plinth/core";
import { jobsService } from "../jobs-service.js";

/** States as people call them, by those of the table. */
export const STATES = {
  waiting: ["created", "retry"],
  running: ["active"],
  dead: ["failed"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A state as people call it. */
export type ShownState = keyof typeof STATES;

/** A job as commands show it. */
export interface ShownJob {
  readonly id: string;
  readonly job: string;
  readonly state: ShownState;
  readonly key: string | null;
  /** How often it was begun. */
  readonly attempts: number;
  readonly priority: number;
  readonly createdAt: Date;
  /** When it may run. */
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
  readonly states: readonly ShownState[];
  readonly id?: string | undefined;
  readonly job?: string | undefined;
  readonly limit?: number;
}

const SELECT = `select id, name as job, case when state = 'active' then 'running' when state = 'failed' then 'dead' else 'waiting' end as state,
  data ->> 'key' as key, retry_count + case when started_on is null then 0 else 1 end as attempts, priority, created_on as "createdAt",
  start_after as at, started_on as "startedAt", completed_on as "endedAt", output ->> 'message' as reason, data -> 'data' as data
  from plinth_job where state::text = any($1::text[]) and ($2::text is null or id::text = $2) and ($3::text is null or name = $3)
  order by coalesce(completed_on, started_on, start_after), id limit $4`;

/** The oldest first. @throws PLINTH_JOBS_UNKNOWN (500) */
export async function selectJobs(app: App, { states, id, job, limit }: Selection): Promise<readonly ShownJob[]> {
  if (job !== undefined) app.extension(jobsService).definitions.get(job);
  const inTable = states.flatMap((state) => STATES[state]);
  return await app.db.query<ShownJob & object>({
    text: SELECT,
    values: [inTable, id ?? null, job ?? null, limit ?? null],
  });
}

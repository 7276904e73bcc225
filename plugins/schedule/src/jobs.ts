import type { Jobs } from "@plinth/plugin-jobs";
import { runDueRelease } from "./releases/run-release.js";
import { ReleaseStore } from "./releases/release-store.js";
import { runSchedule } from "./schedules/run-schedule.js";
import { ScheduleStore } from "./schedules/schedule-store.js";
import { PATIENT_TRIES } from "./tries.js";

const SCHEDULE = "schedule:run";
const RELEASE = "schedule:release";
const LOOK = "schedule:look";
const FORGET = "schedule:forget";

/** Days for which a calendar shows what came of plans. */
const KEPT = 365;

/** Documents that one process publishes at the same time. */
const CONCURRENCY = 4;
/** With a pause that begins at a second and doubles: four minutes. Those of longer outages are found each minute. */
const AGAIN = { retries: PATIENT_TRIES - 1, backoff: 1_000 } as const;

interface Named {
  readonly id: number;
}

/** A job only says that something is due: what is done is in the tables, and is done once. */
export function defineJobs(jobs: Jobs): void {
  jobs.define<Named>({
    ...{ name: SCHEDULE, concurrency: CONCURRENCY, ...AGAIN },
    run: ({ data, attempt, app }) => runSchedule(app, data.id, attempt),
  });
  jobs.define<Named>({
    ...{ name: RELEASE, ...AGAIN },
    run: ({ data, attempt, app, signal }) => runDueRelease(app, data.id, { attempt, signal }),
  });
  jobs.define({
    name: LOOK,
    run: async ({ app }) => {
      for (const { id, at } of await new ScheduleStore(app).overdue()) await enqueueSchedule(jobs, id, at);
      for (const { id, at } of await new ReleaseStore(app).overdue()) await enqueueRelease(jobs, id, at);
    },
  });
  jobs.cron(LOOK, "* * * * *");
  jobs.define({ name: FORGET, run: ({ app }) => new ScheduleStore(app).forget(KEPT) });
  jobs.cron(FORGET, "17 3 * * *");
}

/** Has a plan done at its time, in place of another time that it had; in the transaction that keeps it. */
export async function enqueueSchedule(jobs: Pick<Jobs, "enqueue" | "cancel">, id: number, at: Date): Promise<void> {
  await cancelSchedules(jobs, [id]);
  await jobs.enqueue<Named>(SCHEDULE, { id }, { at, key: String(id) });
}

/** Plans are no more to be done; in the transaction that forgets them. */
export async function cancelSchedules(jobs: Pick<Jobs, "cancel">, ids: readonly number[]): Promise<void> {
  await jobs.cancel(SCHEDULE, ids.map(String));
}

/** Has a release run at its time, in place of another time that it had; in the transaction that keeps it. */
export async function enqueueRelease(jobs: Pick<Jobs, "enqueue" | "cancel">, id: number, at: Date): Promise<void> {
  await cancelRelease(jobs, id);
  await jobs.enqueue<Named>(RELEASE, { id }, { at, key: String(id) });
}

/** A release is no more to be run; in the transaction that says so. */
export async function cancelRelease(jobs: Pick<Jobs, "cancel">, id: number): Promise<void> {
  await jobs.cancel(RELEASE, [String(id)]);
}

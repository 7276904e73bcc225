import type { App, DoctorFinding } from "@plinth/core";

/** Minutes after which a job that could run should have been taken. */
const STUCK = 5;

const LATE = `select name, count(*)::int as count, floor(extract(epoch from now() - min(start_after)) / 60)::int as minutes
  from plinth_job where state < 'active' and start_after < now() - $1 * interval '1 minute' group by name order by name`;
const DEAD = `select name, count(*)::int as count, max(output ->> 'message') as reason from plinth_job where state = 'failed' group by name order by name`;
const ABANDONED = `select name, count(*)::int as count from plinth_job
  where state = 'active' and started_on + expire_in < now() - $1 * interval '1 minute' group by name order by name`;

interface Row {
  readonly name: string;
  readonly count: number;
  readonly minutes?: number;
  readonly reason?: string | null;
}

/** Jobs that no process runs, and such that failed for the last time. */
export async function examineJobs({ db }: App): Promise<readonly DoctorFinding[]> {
  const read = (text: string, ...values: readonly unknown[]) => db.query<Row & object>({ text, values });
  const [late, abandoned, dead] = [await read(LATE, STUCK), await read(ABANDONED, STUCK), await read(DEAD)];
  return [
    ...late.map(({ name, count, minutes = 0 }) =>
      finding("error", "stuck jobs", name, `${count} wait, the oldest for ${minutes} minutes`, START),
    ),
    ...abandoned.map(({ name, count }) =>
      finding("error", "stuck jobs", name, `${count} were begun by a process that is gone`, START),
    ),
    ...dead.map(({ name, count, reason }) =>
      finding("warning", "dead jobs", name, `${count} failed for the last time, such as: ${reason ?? "unknown"}`, LOOK),
    ),
  ];
}

const START =
  "Start a process that works: plinth work, or plinth start where `work` of jobs is true; else raise `concurrency`.";
const LOOK = "Look at them by plinth jobs list --state dead; plinth jobs retry or drop.";

const finding = (
  ...[weight, kind, where, what, advice]: readonly [DoctorFinding["weight"], string, string, string, string]
): DoctorFinding => ({ weight, kind, where, what, advice });

import type { App, DoctorFinding } from "@plinth/core";
import type { HealthCheck } from "@plinth/core/http";

/** Milliseconds between two looks of a process. */
const INTERVAL = 300_000;
/** Minutes after which a job that could run should have been taken. */
const STUCK = 5;

const START =
  "Start a process that works: plinth work, or plinth start where `work` of jobs is true; else raise `concurrency`.";
const LOOK = "Look at them by plinth jobs list --state dead; plinth jobs retry or drop.";

const COUNT = `select name, state, count(*)::int as count, floor(extract(epoch from now() - min(at)) / 60)::int as minutes,
  max(fault ->> 'message') as reason from plinth_jobs where state = 'dead' or at < now() - $1 * interval '1 minute'
  group by name, state order by state desc, name`;

interface Counted {
  readonly name: string;
  readonly state: "waiting" | "running" | "dead";
  readonly count: number;
  readonly minutes: number;
  readonly reason: string | null;
}

/** Jobs that no process runs, and such that failed for the last time; of all processes, also of names that are not declared. */
export const queuesCheck = ({ db }: Pick<App, "db">): HealthCheck => ({
  name: "queues",
  interval: INTERVAL,
  advice: START,
  run: async () => {
    const rows = await db.query<Counted & object>({ text: COUNT, values: [STUCK], isRead: true, isUpkeep: true });
    return rows.length === 0 ? { status: "ok" } : { status: "degraded", problems: rows.map(problemOf) };
  },
});

function problemOf({ name: where, state, count, minutes, reason }: Counted): DoctorFinding {
  if (state === "dead") {
    const what = `${count} failed for the last time, such as: ${reason ?? "unknown"}`;
    return { weight: "warning", kind: "dead jobs", where, what, advice: LOOK };
  }
  const what =
    state === "waiting"
      ? `${count} wait, the oldest for ${minutes} minutes`
      : `${count} were begun by a process that is gone`;
  return { weight: "error", kind: "stuck jobs", where, what, advice: START };
}

import type { App, DoctorFinding } from "@plinth/core";
import type { HealthCheck } from "@plinth/core/http";
import { type Timed, timeColumns, timeOf } from "./chain/read-row.js";
import { LATE } from "./chain/sealer.js";
import { ENTRIES, SEALS } from "./tables.js";

/** Milliseconds between two looks of a process. */
const INTERVAL = 60_000;
const ADVICE =
  "See in the log why the audit log could not be sealed, and in pg_stat_activity which transaction has been open for so long: what is written after its begin waits for its end.";

/** The first entry that no seal covers, if it has waited for so many milliseconds. */
const WAITING = `select ${timeColumns("o")} from (select e.at from ${ENTRIES} e
  where e.id > coalesce((select s.last from ${SEALS} s order by s.id desc limit 1), -9223372036854775808) order by e.id limit 1) o
  where o.at < now() - $1::float8 * interval '1 millisecond'`;

/** Whether entries wait for a seal for longer than they should, whichever process makes them. */
export const healthCheck = (app: App): HealthCheck => ({
  name: "audit",
  interval: INTERVAL,
  advice: ADVICE,
  run: async () => {
    const since = await waitingSince(app);
    return since === undefined ? { status: "ok" } : { status: "degraded", problems: [problemOf(since)] };
  },
});

async function waitingSince(app: App): Promise<string | undefined> {
  const patience = LATE + app.plugin("audit").config.seal * 1_000;
  const [row] = await app.db.query<Timed & object>({ text: WAITING, values: [patience], isUpkeep: true });
  return row && timeOf(row);
}

const problemOf = (since: string): DoctorFinding => ({
  ...{ weight: "warning", kind: "late seals", where: "audit log" },
  ...{ what: `entries wait for a seal since ${since}`, advice: ADVICE },
});

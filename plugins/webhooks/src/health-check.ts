import type { App, DoctorFinding } from "@plinth/core";
import type { HealthCheck } from "@plinth/core/http";
import { DELIVERIES } from "./tables.js";
import { webhooksService } from "./webhooks-service.js";

/** Milliseconds between two looks of a process. */
const INTERVAL = 60_000;
const LOOK =
  "Look at them by `plinth webhooks deliveries --state dead`; when their receiver works again: `plinth webhooks replay`; where it is gone for good: `plinth webhooks drop`.";
const SEE = "See why by `plinth webhooks deliveries`.";
const ENABLE = "When the receiver works: `plinth webhooks enable <endpoint>`.";

const COUNT = `select endpoint, state, count(*)::int as count, floor(extract(epoch from now() - min(at)) / 3600)::int as hours, max(error) as reason
  from ${DELIVERIES} where state = 'dead' or (state = 'waiting' and at < now() - interval '1 hour') group by endpoint, state order by endpoint, state`;

interface Counted {
  readonly endpoint: string;
  readonly state: "dead" | "waiting";
  readonly count: number;
  readonly hours: number;
  readonly reason: string | null;
}

/** Dead deliveries, such as wait for over an hour, and endpoints that were disabled. */
export const healthCheck = (app: App): HealthCheck => ({
  name: "webhooks",
  interval: INTERVAL,
  advice: SEE,
  run: async () => {
    const problems = await findProblems(app);
    return problems.length === 0 ? { status: "ok" } : { status: "degraded", problems };
  },
});

async function findProblems(app: App): Promise<readonly DoctorFinding[]> {
  const endpoints = await app.service(webhooksService).list();
  const nameOf = (id: string) => endpoints.find(({ documentId }) => documentId === id)?.name ?? id;
  const counted = await app.db.query<Counted & object>({ text: COUNT, values: [], isUpkeep: true });
  // What waits for an endpoint that only another version of the app has is for that to tell.
  const isKnown = (id: string) => endpoints.some(({ documentId }) => documentId === id);
  const rows = counted.filter(({ endpoint, state }) => state === "dead" || isKnown(endpoint));
  return [
    ...rows.map((row) => problemOf(nameOf(row.endpoint), row)),
    ...endpoints.flatMap(({ name, disabled }) => (disabled ? [disabledProblem(name, disabled.reason)] : [])),
  ];
}

function problemOf(where: string, { state, count, hours, reason }: Counted): DoctorFinding {
  const why = reason === null ? "" : `, such as: ${reason}`;
  if (state === "dead")
    return { weight: "warning", kind: "dead deliveries", where, what: `${count}${why}`, advice: LOOK };
  const what = `${count}, the oldest for ${hours} hours${why}`;
  return { weight: "warning", kind: "late deliveries", where, what, advice: SEE };
}

const disabledProblem = (where: string, what: string): DoctorFinding => ({
  weight: "warning",
  kind: "disabled webhooks",
  where,
  what,
  advice: ENABLE,
});

import type { App, DoctorFinding } from "@plinth/core";
import type { HealthCheck } from "@plinth/core/http";
import type { DeliveryStore } from "./deliveries/delivery-store.js";
import { DELIVERIES } from "./tables.js";
import { webhooksService } from "./webhooks-service.js";

/** Milliseconds for which a count of dead deliveries is shown. */
const FRESH = 30_000;
const LOOK =
  "Look at them by `plinth webhooks deliveries --state dead`; when their receiver works again: `plinth webhooks replay`.";

/** Says that deliveries are dead, and what to do. */
export function createHealthCheck(store: Pick<DeliveryStore, "dead">): HealthCheck {
  let readAt = Number.NEGATIVE_INFINITY;
  let found: Awaited<ReturnType<HealthCheck["run"]>> = { status: "ok", dead: 0 };
  return {
    name: "webhooks",
    run: async () => {
      if (performance.now() - readAt < FRESH) return found;
      const { dead, since } = await store.dead();
      readAt = performance.now();
      found =
        dead === 0 ? { status: "ok", dead } : { status: "degraded", dead, since: since?.toISOString(), advice: LOOK };
      return found;
    },
  };
}

const WAITING = `select endpoint, state, count(*)::int as count, floor(extract(epoch from now() - min(at)) / 3600)::int as hours, max(error) as reason
  from ${DELIVERIES} where state in ('dead', 'waiting') group by endpoint, state order by endpoint, state`;

interface Row {
  readonly endpoint: string;
  readonly state: "dead" | "waiting";
  readonly count: number;
  readonly hours: number;
  readonly reason: string | null;
}

/** Dead deliveries, such as wait for over an hour, and endpoints that were disabled. */
export async function examineWebhooks(app: App): Promise<readonly DoctorFinding[]> {
  const endpoints = await app.service(webhooksService).list();
  const nameOf = (id: string) => endpoints.find(({ documentId }) => documentId === id)?.name ?? id;
  const rows = await app.db.query<Row & object>({ text: WAITING, values: [] });
  return [
    ...rows
      .filter(({ state, hours }) => state === "dead" || hours >= 1)
      .map((row) => findingOf(nameOf(row.endpoint), row)),
    ...endpoints.flatMap(({ name, disabled }) =>
      disabled
        ? [
            {
              weight: "warning" as const,
              kind: "disabled webhooks",
              where: name,
              what: disabled.reason,
              advice: ENABLE,
            },
          ]
        : [],
    ),
  ];
}

const ENABLE = "When the receiver works: `plinth webhooks enable <endpoint>`.";

function findingOf(where: string, { state, count, hours, reason }: Row): DoctorFinding {
  const why = reason === null ? "" : `, such as: ${reason}`;
  if (state === "dead")
    return { weight: "warning", kind: "dead deliveries", where, what: `${count}${why}`, advice: LOOK };
  const what = `${count}, the oldest for ${hours} hours${why}`;
  return {
    weight: "warning",
    kind: "late deliveries",
    where,
    what,
    advice: "See why by `plinth webhooks deliveries`.",
  };
}

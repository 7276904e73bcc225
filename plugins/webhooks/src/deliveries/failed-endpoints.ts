import type { App } from "@plinth/core";
import { webhooks } from "../contract.js";
import { DELIVERIES } from "../tables.js";

/** An endpoint that does not get what is sent to it. */
export interface FailedEndpoint {
  readonly documentId: string;
  readonly name: string;
  /** ISO 8601; null: its last try succeeded. */
  readonly failingSince: string | null;
  readonly isDisabled: boolean;
  /** Deliveries that were given up, of the latest 500 of a week. */
  readonly dead: number;
  /** ISO 8601: when the last of these was given up. */
  readonly at: string | null;
  readonly reason: string | null;
}

/** By the index of those that were given up. */
const DEAD = `select endpoint, count(*)::int as dead, max(ended_at) as at, (array_agg(error order by ended_at desc))[1] as reason
  from (select endpoint, ended_at, error from ${DELIVERIES} where state = 'dead' and ended_at > now() - interval '7 days'
    order by ended_at desc limit 500) d group by endpoint`;

interface Dead {
  readonly endpoint: string;
  readonly dead: number;
  readonly at: Date;
  readonly reason: string | null;
}

/** Endpoints of which tries fail, that were disabled, or of which deliveries were given up; those of the last fault first. */
export async function failedEndpoints(app: App): Promise<readonly FailedEndpoint[]> {
  const rows = await app.db.query<Dead & object>({ text: DEAD, values: [], isPlan: true });
  const byEndpoint = new Map(rows.map((row) => [row.endpoint, row]));
  const failed = (await app.service(webhooks).list()).flatMap((endpoint): readonly FailedEndpoint[] => {
    const { documentId, name, failingSince, disabled } = endpoint;
    const dead = byEndpoint.get(documentId);
    if (failingSince === null && !disabled && !dead) return [];
    const known = { dead: dead?.dead ?? 0, at: dead?.at.toISOString() ?? null };
    return [
      {
        ...{ documentId, name, failingSince },
        isDisabled: disabled !== null,
        ...known,
        reason: dead?.reason ?? disabled?.reason ?? null,
      },
    ];
  });
  const timeOf = ({ at, failingSince }: FailedEndpoint) => at ?? failingSince ?? "";
  return failed.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)));
}

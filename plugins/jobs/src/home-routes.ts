import type { App, Route } from "@plinth/core";
import { handlerOf } from "@plinth/core/http";
import { MANAGE } from "./rest/jobs-routes.js";

/** By the index of dead jobs. */
const DEAD = `select name, count(*)::int as dead, max(at) as at, (array_agg(fault ->> 'message' order by at desc))[1] as reason
  from (select name, at, fault from plinth_jobs where state = 'dead' order by at desc limit 500) j group by name order by max(at) desc`;

interface Dead {
  readonly name: string;
  readonly dead: number;
  readonly at: Date;
  readonly reason: string | null;
}

const QUEUE = {
  type: "object",
  required: ["name", "dead", "at", "reason"],
  properties: {
    ...{ name: { type: "string" }, dead: { type: "integer" } },
    ...{ at: { type: "string", format: "date-time" }, reason: { type: ["string", "null"] } },
  },
} as const;

/** `/admin/api/jobs/failed`, for the home screen of those who manage jobs: those that are dead, by queue. */
export function createHomeRoutes(app: App): readonly Route[] {
  const policies = [{ name: "plugin::api-tokens.is-administrator", config: { action: MANAGE } }];
  const schema = { type: "object", required: ["data"], properties: { data: { type: "array", items: QUEUE } } };
  return [
    {
      ...{ method: "GET", path: "/jobs/failed", type: "root" },
      handler: handlerOf(async () => ({ status: 200, body: { data: await deadByQueue(app) } })),
      config: { auth: false, prefix: "/admin/api", policies },
      description: {
        ...{ tag: "Admin page", bearer: "administrator", errors: [403] },
        summary: "List queues that have dead jobs",
        answers: { 200: { description: "Those of the last fault first; the latest 500 jobs are counted", schema } },
      },
    },
  ];
}

async function deadByQueue({ db }: App): Promise<readonly object[]> {
  const rows = await db.query<Dead & object>({ text: DEAD, values: [], isPlan: true });
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
}

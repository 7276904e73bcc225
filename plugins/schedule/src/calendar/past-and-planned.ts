import type { App, WriteActor } from "@plinth/core";
import type { StoredAction } from "../act.js";
import type { Problem } from "../contract.js";

/** A plan as a calendar has it: also one that was done, or refused. */
export interface CalendarPlan extends StoredAction {
  readonly at: Date;
  readonly state: "waiting" | "done" | "failed";
  /** When it was done or refused. */
  readonly endedAt: Date | null;
  readonly actor: WriteActor | null;
  readonly problems: readonly Problem[];
}

/** A span of time, without its end. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
  /** Of one content-type only: its uid. */
  readonly type?: string | undefined;
}

const COLUMNS = `uid, document_id as "documentId", locale, action, at, actor`;
const WHERE = "at >= $1 and at < $2 and ($3::text is null or uid = $3)";

/** What has failed is read from what came of plans: there it stays when it is planned again. */
const BETWEEN = `select * from (
    select id, 'waiting' as state, null::timestamptz as "endedAt", '[]'::jsonb as problems, ${COLUMNS} from plinth_schedule
      where failed_at is null and ${WHERE}
    union all
    select id, case when problems = '[]' then 'done' else 'failed' end, ended_at, problems, ${COLUMNS} from plinth_schedule_past where ${WHERE}
  ) plans order by at, state, id limit $4 offset $5`;

/** Plans of a span of time, by their times. */
export async function plansBetween(
  app: App,
  { from, to, type }: Span,
  limit: number,
  offset: number,
): Promise<readonly CalendarPlan[]> {
  const values = [from, to, type ?? null, limit, offset];
  return await app.db.query<CalendarPlan & object>({ text: BETWEEN, values });
}

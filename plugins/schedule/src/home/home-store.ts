import type { App } from "@plinth/core";
import type { StoredSchedule } from "../schedules/schedule-store.js";

/** A plan that is due, or has failed; and when it failed. */
export type HomeSchedule = Pick<StoredSchedule, "id" | "uid" | "documentId" | "locale" | "action" | "at" | "problems">;

const COLUMNS = `id::float8 as id, uid, document_id as "documentId", locale, action, at, problems`;
const NEXT = `select ${COLUMNS} from plinth_schedule where failed_at is null order by at, id limit $1 offset $2`;
/** The table has what is still to be done and what has failed, and nothing of the past: it is read by its key. */
const FAILED = `select ${COLUMNS} from plinth_schedule where failed_at is not null order by id desc limit $1 offset $2`;

/** Plans whose time comes next, by the index of what is due. */
export const nextSchedules = (app: App, limit: number, start: number) => read(app, NEXT, [limit, start]);

/** Plans that have failed, the latest made first. */
export const failedSchedules = (app: App, limit: number, start: number) => read(app, FAILED, [limit, start]);

async function read(app: App, text: string, values: readonly number[]): Promise<readonly HomeSchedule[]> {
  return await app.db.query<HomeSchedule & object>({ text, values, isPlan: true });
}

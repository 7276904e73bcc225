import type { App } from "@plinth/core";
import { SESSION } from "../content-types.js";

/** Name of the job that deletes sessions that have ended. */
export const EXPIRED_SESSIONS = "users-permissions:expired-sessions";

/** Deletes the sessions that have ended: by a job, or where there are none, with each session that begins. */
export async function deleteExpiredSessions({ db, model, clock }: App): Promise<void> {
  const text = `delete from "${model.contentTypes.get(SESSION)?.table}" where expires_at < $1`;
  await db.query({ text, values: [new Date(clock.now())], isPlan: true });
}

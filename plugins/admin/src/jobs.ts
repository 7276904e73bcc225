import { type ExtensionRef, extensionRef } from "@plinth/core";
import type { Jobs } from "@plinth/plugin-jobs";
import { sessions } from "./access/sessions.js";

/** The plugin jobs, by its name alone: it need not be installed. */
export const jobs: ExtensionRef<Jobs> = extensionRef<Jobs>("plugin::jobs.jobs");

const EXPIRED_SESSIONS = "admin:expired-sessions";

/** What is done by the clock. */
export function defineJobs(known: Jobs): void {
  known.define({ name: EXPIRED_SESSIONS, run: ({ app }) => app.service(sessions).deleteEnded() });
  known.cron(EXPIRED_SESSIONS, "29 * * * *");
}

import type { Jobs } from "@plinth/plugin-jobs";
import { sessions } from "./access/sessions.js";
import { FORGOTTEN_PASSWORD, type Forgot, passwordResets } from "./accounts/password-resets.js";

const EXPIRED_SESSIONS = "admin:expired-sessions";

/** What is done by the clock, and what answers do not wait for. */
export function defineJobs(known: Jobs): void {
  known.define({ name: EXPIRED_SESSIONS, run: ({ app }) => app.service(sessions).deleteEnded() });
  known.cron(EXPIRED_SESSIONS, "29 * * * *");
  known.define<Forgot>({
    name: FORGOTTEN_PASSWORD,
    run: ({ app, data }) => app.service(passwordResets).mail(data),
  });
}

import { foldTotals } from "@plinth/core/schema";
import type { JobsConfig } from "./config.js";
import type { Jobs } from "./contract.js";

/** The jobs that the plugin itself brings. */
export function defineBuiltIn(jobs: Jobs, { keepDead }: JobsConfig): void {
  jobs.define({
    name: "plinth:forget-dead-jobs",
    run: async ({ app }) => {
      const text = "delete from plinth_job where state = 'failed' and completed_on < now() - $1 * interval '1 day'";
      await app.db.query({ text, values: [keepDead] });
    },
  });
  jobs.cron("plinth:forget-dead-jobs", "17 * * * *");
  jobs.define({ name: "plinth:fold-totals", run: ({ app }) => foldTotals(app.db) });
  jobs.cron("plinth:fold-totals", "* * * * *");
}

import { foldTotals } from "@plinth/core/schema";
import type { JobsService } from "./jobs-service.js";

/** The jobs that the plugin itself brings. */
export function defineBuiltIn(jobs: JobsService): void {
  jobs.define({
    name: "plinth:forget-dead-jobs",
    run: () => jobs.parts.store.forget(jobs.config.keepDead),
  });
  jobs.cron("plinth:forget-dead-jobs", "17 * * * *");
  jobs.define({ name: "plinth:fold-totals", run: ({ app }) => foldTotals(app.db) });
  jobs.cron("plinth:fold-totals", "* * * * *");
}

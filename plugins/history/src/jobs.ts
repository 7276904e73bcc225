import { type ExtensionRef, extensionRef } from "@plinth/core";
import type { Jobs } from "@plinth/plugin-jobs";
import { historyService } from "./service-ref.js";

/** The plugin jobs, by its name alone: it need not be installed. */
export const jobs: ExtensionRef<Jobs> = extensionRef<Jobs>("plugin::jobs.jobs");

const PRUNE = "history:prune";

/** The hour, in UTC, at which all versions are looked at. */
const AT_NIGHT = 3;

/** How far an hourly run looks back; more than an hour, in case that the one before failed. */
const LOOK_BACK = 3 * 3_600_000;

/** Deletes hourly what documents have too much of that were just written, and nightly all that is not to be kept. */
export function defineJobs(known: Jobs): void {
  known.define<{ readonly tick: string }>({
    name: PRUNE,
    run: ({ app, data }) => {
      const tick = new Date(data.tick);
      const isAll = tick.getUTCHours() === AT_NIGHT;
      return app.service(historyService).prune(isAll ? undefined : new Date(tick.getTime() - LOOK_BACK));
    },
  });
  known.cron(PRUNE, "41 * * * *");
}

// A process of its own that works jobs: its one argument is the DatabaseConfig as JSON.
import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseConfig } from "@plinth/core";
import { makeJobsApp } from "../plugins/jobs/jobs-app.js";
import { declareFaultJobs } from "./fault-jobs.js";
import type { Said } from "./serve-fleet.js";

const { plinth } = makeJobsApp(JSON.parse(process.argv[2] ?? "") as DatabaseConfig, {
  declare: (jobs) => declareFaultJobs(jobs, () => sleep(Math.random() * 30)),
  config: { lease: 3_000 },
  server: { closeTimeout: 5_000 },
});
process.once("disconnect", () => void plinth.stop());
try {
  const url = (await plinth.start()) ?? "";
  process.send?.({ url } satisfies Said);
} catch (error) {
  process.send?.({ failed: String(error) } satisfies Said);
  process.disconnect();
}

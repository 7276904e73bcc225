// A process of its own that has begun a job and does not end it: its one argument is the DatabaseConfig as JSON.
import type { DatabaseConfig } from "@plinth/core";
import { startJobsApp } from "../plugins/jobs/jobs-app.js";
import type { Said } from "./serve-fleet.js";

const { jobs } = await startJobsApp(JSON.parse(process.argv[2] ?? "") as DatabaseConfig, {
  declare: (jobs) =>
    jobs.define<{ place: string }>({
      name: "endless",
      run: ({ data }) => {
        process.send?.({ url: data.place } satisfies Said);
        return new Promise(() => undefined);
      },
    }),
  config: { lease: 1_000 },
});
await jobs.enqueue("endless", { place: "here" });

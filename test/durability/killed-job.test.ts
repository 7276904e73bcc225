import type { Job } from "@plinth/plugin-jobs";
import { expect } from "chai";
import { eventually } from "../core/database/driver/note-app.js";
import { eachDatabase } from "../databases.js";
import { type JobsApp, startJobsApp } from "../plugins/jobs/jobs-app.js";
import { lastingConfig } from "./fleet.js";
import { startServing } from "./fleet-process.js";

describe("a job whose process is killed", () => {
  eachDatabase((database) => {
    const config = lastingConfig(database);
    let app: JobsApp | undefined;
    after("stop it", () => app?.plinth.stop());

    it("is run again by the next process, as its second attempt", async () => {
      const killed = await startServing(config, "serve-endless-job.ts");
      await killed.kill();
      const ran: Pick<Job, "data" | "attempt">[] = [];
      app = await startJobsApp(config, {
        declare: (jobs) => jobs.define({ name: "endless", run: ({ data, attempt }) => ran.push({ data, attempt }) }),
      });
      await eventually(async () => expect(ran).to.deep.equal([{ data: { place: killed.url }, attempt: 2 }]), 60_000);
      await app.jobs.idle();
      expect(await app.jobs.waiting("endless")).to.deep.equal([]);
      expect(app.logged).to.include("Jobs are tried again, because their process is gone");
    });
  });
});

/** The public entry of the jobs plugin. */
import { beforeStop, definePlugin, onStart } from "@plinth/core";
import { defineBuiltIn } from "./built-in.js";
import { commands } from "./commands/commands.js";
import { type JobsConfig, parseConfig } from "./config.js";
import { examineJobs } from "./doctor.js";
import { healthCheck } from "./health-check.js";
import { jobsImpl, jobsService } from "./jobs-service.js";
import { declareQueues, declareTables } from "./tables.js";

export type { JobsConfig } from "./config.js";
export type { CronOptions, EnqueueOptions, Job, JobDefinition, Jobs, WaitingJob } from "./contract.js";
export { jobs } from "./contract.js";

/** Queues and cron, once for all processes of an app. */
export const jobsPlugin = definePlugin<JobsConfig>({
  name: "jobs",
  config: parseConfig,
  extensions: [jobsImpl],
  commands,
  register({ config, extension, on, registry }) {
    const service = extension(jobsService);
    declareTables((name, table) => registry("table").add(name, table));
    registry("doctor").add("jobs", examineJobs);
    defineBuiltIn(service, config);
    on(onStart, ({ purpose }) => {
      if (config.work || purpose === "work") service.parts.worker.start();
    });
    on(beforeStop, ({ timeout }) => service.parts.worker.stop(timeout));
  },
  async bootstrap({ app, extension }) {
    const { definitions, parts } = extension(jobsService);
    definitions.seal();
    await declareQueues(app, definitions.names);
    app.health.add(healthCheck(parts.worker));
  },
  destroy: ({ extension }) => extension(jobsService).close(),
});

export default jobsPlugin;

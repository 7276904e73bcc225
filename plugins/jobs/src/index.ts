/** The public entry of the jobs plugin. */
import { beforeStop, definePlugin, onStart } from "@plinth/core";
import { defineBuiltIn } from "./built-in.js";
import { commands } from "./commands/commands.js";
import { type JobsConfig, parseConfig } from "./config.js";
import { createHomeRoutes } from "./home-routes.js";
import { healthCheck } from "./health-check.js";
import { jobsImpl, jobsService } from "./jobs-service.js";
import { queuesCheck } from "./queues-check.js";
import { admin, adminRoutes, MANAGE } from "./rest/jobs-routes.js";
import { TABLES } from "./tables.js";

export type { JobsConfig } from "./config.js";
export type { CronOptions, EnqueueOptions, Job, JobDefinition, Jobs, WaitingJob } from "./contract.js";
export { jobs } from "./contract.js";

/** Queues and cron, once for all processes of an app. */
export const jobsPlugin = definePlugin<JobsConfig>({
  name: "jobs",
  config: parseConfig,
  extensions: [jobsImpl],
  commands,
  register({ app, config, extension, has, on, registry, route }) {
    const service = extension(jobsService);
    for (const table of TABLES) registry("table").add(table.name, table);
    defineBuiltIn(service);
    if (has("admin")) extension(admin).actions({ [MANAGE]: "see jobs, run dead ones again, delete them" });
    if (has("admin")) route("admin-home", { createRoutes: () => createHomeRoutes(app) });
    if (has("api-tokens")) route("admin-jobs", { createRoutes: () => adminRoutes(app) });
    on(onStart, ({ purpose }) => {
      if (config.work || purpose === "work") service.parts.worker.start();
    });
    on(beforeStop, ({ timeout }) => service.parts.worker.stop(timeout));
  },
  bootstrap({ app, extension }) {
    const { definitions, parts } = extension(jobsService);
    definitions.seal();
    app.health.add(healthCheck(parts.worker));
    app.health.add(queuesCheck(app));
  },
  destroy: ({ extension }) => extension(jobsService).close(),
});

export default jobsPlugin;

import { createPlinth, type DatabaseConfig, type Plugin, type PlinthApp, type StartOptions } from "@plinth/core";
import { type Jobs, jobsPlugin, jobs } from "@plinth/plugin-jobs";
import { pino } from "pino";

/** How an app of these tests is made. */
export interface JobsAppOptions {
  readonly declare?: (jobs: Jobs) => void;
  readonly config?: object;
  readonly server?: object;
  readonly plugins?: readonly Plugin[];
  readonly start?: StartOptions;
}

/** An app with jobs and nothing else. */
export interface JobsApp {
  readonly plinth: PlinthApp;
  readonly jobs: Jobs;
  /** What it logged, by message. */
  readonly logged: readonly string[];
}

/** An app that was made and not started. */
export function makeJobsApp(database: DatabaseConfig, options: JobsAppOptions = {}) {
  const { declare = () => undefined, config = {}, server = {}, plugins = [] } = options;
  const logged: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(String(JSON.parse(line).msg)) });
  const plinth = createPlinth({
    ...{ root: "/nowhere", environment: "test", plugins: [jobsPlugin, ...plugins], log },
    app: { register: ({ extension }) => declare(extension(jobs)) },
    config: { database, server: { host: "127.0.0.1", port: 0, closeTimeout: 100, ...server } },
    pluginConfigs: { jobs: config },
  });
  return { plinth, logged };
}

/** Starts it; it works unless `start` says otherwise. */
export async function startJobsApp(database: DatabaseConfig, options: JobsAppOptions = {}): Promise<JobsApp> {
  const { plinth, logged } = makeJobsApp(database, options);
  await plinth.start(options.start ?? {});
  return { plinth, logged, jobs: plinth.app.extension(jobs) };
}

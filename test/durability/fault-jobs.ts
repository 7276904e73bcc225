import type { Jobs } from "@plinth/plugin-jobs";

/** What the jobs did: a row for each key and job, with how often. */
export const EFFECTS =
  "create table effects (kind text, key text, job text, runs int not null default 1, primary key (kind, key, job))";

const DO = `insert into effects (kind, key, job) values ($1, $2, $3)
  on conflict (kind, key, job) do update set runs = effects.runs + 1`;

/** A job whose effect is the same however often it is run, and one for each second. @param work - what takes time */
export function declareFaultJobs(jobs: Jobs, work: () => Promise<unknown>): void {
  const often = { retries: 100, backoff: 0 };
  jobs.define<{ key: string }>({
    ...{ name: "effect", concurrency: 5, ...often },
    run: async ({ app, id, data }) => {
      await work();
      await app.db.query({ text: DO, values: ["effect", data.key, id] });
      await work();
    },
  });
  jobs.define<{ tick: string }>({
    ...{ name: "tick", concurrency: 2, ...often },
    run: ({ app, id, data }) => app.db.query({ text: DO, values: ["tick", data.tick, id] }),
  });
  jobs.cron("tick", "* * * * * *");
}

import { setTimeout as sleep } from "node:timers/promises";
import { channels, type JobMessage } from "@plinth/core/telemetry";
import type { Job } from "@plinth/plugin-jobs";
import { expect } from "chai";
import { eventually } from "../../core/database/driver/note-app.js";
import { serverDatabase } from "../../databases.js";
import { medianOf, timeOf } from "../../usual-time.js";
import { type JobsApp, type JobsAppOptions, startJobsApp } from "./jobs-app.js";

/** Milliseconds after which a process looks for jobs that no message told it of. */
const POLL = 1_000;

describe("jobs of several processes", () => {
  const database = serverDatabase();
  if (!database) return;
  const apps: JobsApp[] = [];
  const start = async (options: JobsAppOptions) => {
    const app = await startJobsApp(database.config(), options);
    apps.push(app);
    return app;
  };
  afterEach("stop them", async () => {
    await Promise.all(apps.splice(0).map(({ plinth }) => plinth.stop()));
    await (await database.connect()).query({ text: "truncate plinth_jobs, plinth_cron", values: [] });
  });

  it("are run by those that work, which are woken", async () => {
    const ran: Job[] = [];
    // Of two queues: what wakes one would find the job of the other, if they were one.
    const declare: Required<JobsAppOptions>["declare"] = (jobs) => {
      for (const name of ["far", "near"]) jobs.define({ name, run: (job) => ran.push(job) });
    };
    // Each in its turn: other work on the machine slows both.
    const serving = await start({ declare, config: { work: false } });
    const working = await start({ declare, start: { listen: false, works: true } });
    const runsAfter = (from: JobsApp, name: string) =>
      timeOf(async () => {
        const before = ran.length;
        await from.jobs.enqueue(name, {});
        while (ran.length === before) await sleep(1);
      });
    const [far, near]: [number[], number[]] = [[], []];
    for (let n = 1; n <= 21; n += 1) {
      far.push(await runsAfter(serving, "far"));
      near.push(await runsAfter(working, "near"));
    }
    expect(ran.every(({ app }) => app === working.plinth.app)).to.equal(true);
    console.log(
      `      [fleet] jobs: woken after ${medianOf(far).toFixed(1)} ms (median of 21; by its own process ${medianOf(near).toFixed(1)} ms), polled each ${POLL} ms`,
    );
    expect(medianOf(far)).to.be.below(3 * medianOf(near) + POLL / 2);
  });

  it("are given back when a process stops, and do not count as an attempt", async () => {
    const seen: string[] = [];
    const declare =
      (who: string): Required<JobsAppOptions>["declare"] =>
      (jobs) =>
        jobs.define({
          ...{ name: "long", retries: 0 },
          run: async ({ attempt, signal }) => {
            seen.push(`${who} ${attempt}`);
            if (who === "first")
              await sleep(60_000, undefined, { signal, ref: false }).catch(() => seen.push(signal.reason.code));
          },
        });
    const first = await start({ declare: declare("first") });
    await first.jobs.enqueue("long", {});
    await eventually(async () => expect(seen).to.deep.equal(["first 1"]));
    await start({ declare: declare("second") });
    await apps.shift()?.plinth.stop();
    await eventually(async () => expect(seen).to.deep.equal(["first 1", "PLINTH_JOBS_RETURNED", "second 1"]));
  });

  it("wait for those that end in time", async () => {
    let ended = 0;
    let began: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => (began = resolve));
    const { jobs, plinth } = await start({
      server: { closeTimeout: 20_000 },
      declare: (jobs) =>
        jobs.define({
          name: "short",
          run: async () => {
            began();
            await sleep(300);
            ended += 1;
          },
        }),
    });
    await jobs.enqueue("short", {});
    const results: unknown[] = [];
    const note = ({ result }: JobMessage) => results.push(result);
    channels.job.end.subscribe(note);
    await hasBegun;
    await plinth.stop();
    channels.job.end.unsubscribe(note);
    apps.splice(0);
    expect([ended, results]).to.deep.equal([1, ["done"]]);
  });

  it("are taken over when their process is gone, and the one that lost them knows", async () => {
    const seen: string[] = [];
    const declare =
      (who: string): Required<JobsAppOptions>["declare"] =>
      (jobs) =>
        jobs.define({
          ...{ name: "long", backoff: 0 },
          run: async ({ attempt, signal }) => {
            seen.push(`${who} ${attempt}`);
            if (who === "first") await new Promise((done) => signal.addEventListener("abort", done));
            if (signal.aborted) seen.push(signal.reason.code);
          },
        });
    const first = await start({ declare: declare("first"), config: { lease: 3_000 } });
    await first.jobs.enqueue("long", {});
    await eventually(async () => expect(seen).to.deep.equal(["first 1"]));
    const { db } = first.plinth.app;
    // As if it had not said for a while that it runs it.
    const second = await start({ declare: declare("second"), config: { lease: 1_000 } });
    await eventually(async () => {
      await db.query({
        text: "update plinth_jobs set at = now() where state = 'running' and attempt = 1",
        values: [],
      });
      // By either of them.
      expect(seen.some((each) => each.endsWith(" 2"))).to.equal(true);
    });
    await eventually(async () => expect(seen).to.include("PLINTH_JOBS_LOST"));
    expect([...first.logged, ...second.logged]).to.include("Jobs are tried again, because their process is gone");
  });

  it("are enqueued once for each time of a cron expression, and those of the last minute that were missed", async () => {
    const ticks: string[] = [];
    const declare: Required<JobsAppOptions>["declare"] = (jobs) => {
      jobs.define<{ tick: string }>({ name: "each-second", concurrency: 5, run: ({ data }) => ticks.push(data.tick) });
      jobs.cron("each-second", "* * * * * *", { timezone: "Europe/Berlin" });
    };
    await Promise.all([start({ declare }), start({ declare }), start({ declare })]);
    await eventually(async () => expect(ticks).to.have.length.at.least(5));
    const sorted = [...ticks].sort();
    expect(new Set(ticks).size).to.equal(ticks.length);
    const [begin, end] = [sorted[0], sorted.at(-1)].map((tick) => Date.parse(String(tick)) / 1000) as [number, number];
    expect(end - begin + 1).to.equal(ticks.length);
    await Promise.all(apps.splice(0).map(({ plinth }) => plinth.stop()));
    ticks.splice(0);
    const again = await start({ declare, start: { listen: false } });
    const past = "update plinth_cron set ticked_at = ticked_at - interval '3 hours'";
    await again.plinth.app.db.query({ text: past, values: [] });
    const began = Date.now();
    await start({ declare });
    await eventually(async () => expect(ticks).to.have.length.at.least(2));
    const first = Date.parse([...ticks].sort()[0] ?? "");
    expect(began - first, "only the last minute of the three hours").to.be.below(62_000);
  });

  describe("of versions with different times", () => {
    const ticks: string[] = [];
    const declare =
      (expression: string): Required<JobsAppOptions>["declare"] =>
      (jobs) => {
        jobs.define<{ tick: string }>({ name: "clocked", concurrency: 9, run: ({ data }) => ticks.push(data.tick) });
        jobs.cron("clocked", expression);
      };
    beforeEach("forget the times", () => void ticks.splice(0));

    it("go on by the clock of one when another one was there for a while", async () => {
      await start({ declare: declare("* * * * * *") });
      await eventually(async () => expect(ticks).to.have.length.at.least(1));
      const canary = await start({ declare: declare("0 0 1 1 *") });
      await canary.plinth.stop();
      apps.splice(apps.indexOf(canary), 1);
      const stopped = new Date().toISOString();
      await eventually(async () => expect(ticks.filter((tick) => tick > stopped)).to.have.length.at.least(3));
    });

    it("are enqueued at the times of each while both are there, and once at a time of both", async () => {
      await start({ declare: declare("*/2 * * * * *") });
      await start({ declare: declare("*/3 * * * * *") });
      const began = new Date().toISOString();
      const secondsOf = () => ticks.filter((tick) => tick > began).map((tick) => Number(tick.slice(17, 19)));
      await eventually(async () => {
        for (const rest of [0, 2, 3, 4])
          expect(secondsOf().filter((second) => second % 6 === rest)).to.have.length.at.least(2);
      }, 40_000);
      expect(new Set(ticks).size).to.equal(ticks.length);
      expect(secondsOf().filter((second) => second % 2 !== 0 && second % 3 !== 0)).to.deep.equal([]);
    });

    it("do not make up for times from before theirs were known", async () => {
      const began = new Date().toISOString();
      const first = await start({ declare: declare("0 0 1 1 *") });
      const past = "update plinth_cron set ticked_at = ticked_at - interval '3 hours'";
      await first.plinth.app.db.query({ text: past, values: [] });
      for (const _ of [1, 2]) await start({ declare: declare("0 * * * *") });
      const marks: unknown[] = [];
      const mark = await start({
        declare: (jobs) => {
          jobs.define({ name: "mark", run: ({ data }) => marks.push(data) });
          jobs.cron("mark", "* * * * * *");
        },
      });
      await eventually(async () => expect(marks).to.have.length.at.least(2));
      await mark.jobs.idle();
      // A new hour may begin meanwhile.
      expect(ticks.filter((tick) => tick < began)).to.deep.equal([]);
    });
  });
});

import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@plinth/plugin-jobs";
import { expect } from "chai";
import { planSync } from "../../../core/src/database/sync/plan-sync.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { eachDatabase } from "../../databases.js";
import { type JobsApp, type JobsAppOptions, makeJobsApp, startJobsApp } from "./jobs-app.js";

describe("jobs", function () {
  this.timeout(120_000);
  eachDatabase((database) => {
    let app: JobsApp | undefined;
    const start = async (options: JobsAppOptions) => {
      app = await startJobsApp(database.config(), options);
      return app;
    };
    afterEach("stop it", async () => {
      await app?.plinth.app.db.query({ text: "delete from plinth_job", values: [] });
      await app?.plinth.stop();
      app = undefined;
    });

    it("run once, with what they were enqueued with, and are gone then", async () => {
      const ran: Pick<Job, "id" | "data" | "attempt" | "key">[] = [];
      const { jobs, plinth } = await start({
        declare: (jobs) =>
          jobs.define({ name: "note", run: ({ id, data, attempt, key }) => ran.push({ id, data, attempt, key }) }),
      });
      const id = await jobs.enqueue("note", { to: "Ada", lines: ['"', "\\u0000 as text", null] });
      await jobs.idle();
      expect(ran).to.deep.equal([
        { id, data: { to: "Ada", lines: ['"', "\\u0000 as text", null] }, attempt: 1, key: undefined },
      ]);
      expect(await plinth.app.db.query({ text: "select id from plinth_job", values: [] })).to.deep.equal([]);
    });

    it("belong to the transaction that enqueues them", async () => {
      const ran: unknown[] = [];
      const { jobs, plinth } = await start({
        declare: (jobs) => jobs.define({ name: "note", run: ({ data }) => ran.push(data) }),
      });
      const { db } = plinth.app;
      await db.transaction(async () => {
        await jobs.enqueue("note", "kept");
        expect(ran).to.deep.equal([]);
      });
      const undone = db.transaction(async () => {
        await jobs.enqueue("note", "undone");
        throw new Error("no");
      });
      await undone.catch(() => undefined);
      await jobs.idle();
      expect(ran).to.deep.equal(["kept"]);
    });

    it("are run again until they succeed, and are dead after their last attempt", async () => {
      const attempts: Record<string, number[]> = { flaky: [], broken: [] };
      const { jobs, plinth, logged } = await start({
        declare: (jobs) => {
          const run = ({ name, attempt }: Job) => {
            attempts[name]?.push(attempt);
            if (name === "broken" || attempt === 1) throw new Error(`${name} in ${attempt}`);
          };
          jobs.define({ name: "flaky", run, backoff: 0, retries: 3 });
          jobs.define({ name: "broken", run, backoff: 0, retries: 1 });
        },
      });
      await Promise.all([jobs.enqueue("flaky", {}), jobs.enqueue("broken", {})]);
      const text = "select name, state::text as state, output ->> 'message' as message from plinth_job";
      await eventually(async () => {
        const rows = await plinth.app.db.query({ text, values: [] });
        expect(rows).to.deep.equal([{ name: "broken", state: "failed", message: "broken in 2" }]);
      });
      expect(attempts).to.deep.equal({ flaky: [1, 2], broken: [1, 2] });
      expect(logged).to.include("A job failed for the last time; plinth jobs retry runs it again");
    });

    it("fail when their time is up, and their signal says so", async () => {
      const reasons: unknown[] = [];
      const { jobs, plinth } = await start({
        declare: (jobs) =>
          jobs.define({
            ...{ name: "slow", timeout: 50, retries: 0 },
            run: ({ signal }) =>
              new Promise(() => signal.addEventListener("abort", () => reasons.push(signal.reason.code))),
          }),
      });
      await jobs.enqueue("slow", {});
      await jobs.idle();
      const text = "select output ->> 'code' as code from plinth_job where state = 'failed'";
      expect(await plinth.app.db.query({ text, values: [] })).to.deep.equal([{ code: "PLINTH_JOBS_TIMEOUT" }]);
      expect(reasons).to.deep.equal(["PLINTH_JOBS_TIMEOUT"]);
    });

    it("wait once for each key, and are enqueued again when they have begun", async () => {
      const ran: unknown[] = [];
      const waiting = withResolvers();
      const { jobs } = await start({
        declare: (jobs) =>
          jobs.define<{ page: string; by: string }>({
            name: "render",
            key: ({ page }) => page,
            run: async ({ data, key }) => {
              if (data.by === "first") await waiting.promise;
              ran.push([key, data.by]);
            },
          }),
      });
      await jobs.enqueue("render", { page: "a", by: "first" });
      // It runs from now on.
      await eventually(async () => {
        expect(await jobs.enqueue("render", { page: "a", by: "second" })).to.be.a("string");
      });
      expect(await jobs.enqueue("render", { page: "a", by: "third" })).to.equal(undefined);
      expect(await jobs.enqueue("render", { page: "b", by: "fourth" })).to.be.a("string");
      expect(await jobs.enqueue("render", { page: "a", by: "fifth" }, { key: "own" })).to.be.a("string");
      waiting.resolve();
      await jobs.idle();
      expect(ran).to.have.deep.members([
        ["a", "first"],
        ["a", "second"],
        ["b", "fourth"],
        ["own", "fifth"],
      ]);
    });

    it("run those of a higher priority first, as many at once as they may, and none before its time", async () => {
      const order: unknown[] = [];
      let running = 0;
      let most = 0;
      const { jobs } = await start({
        start: { listen: false },
        declare: (jobs) => {
          jobs.define({ name: "ordered", run: ({ data }) => order.push(data) });
          jobs.define({
            ...{ name: "wide", concurrency: 3 },
            run: async () => {
              most = Math.max(most, ++running);
              await sleep(20);
              running -= 1;
            },
          });
        },
      });
      const later = new Date(Date.now() + 3_600_000);
      for (const priority of [0, 5, -1]) await jobs.enqueue("ordered", priority, { priority });
      await jobs.enqueue("ordered", "later", { at: later, priority: 9 });
      for (let n = 0; n < 9; n += 1) await jobs.enqueue("wide", n);
      expect([order, most], "a process for a command runs none").to.deep.equal([[], 0]);
      await app?.plinth.stop();
      app = await startAgain(order, () => {
        most = Math.max(most, ++running);
        return sleep(20).then(() => {
          running -= 1;
        });
      });
      await app.jobs.idle();
      expect(order).to.deep.equal([5, 0, -1]);
      if (database.kind === "postgres") expect(most).to.equal(3);
    });

    // PGlite in memory is empty again.
    const startAgain = async (order: unknown[], run: () => Promise<void>) => {
      const again = await startJobsApp(database.config(), {
        start: { listen: false, works: true },
        declare: (jobs) => {
          jobs.define({ name: "ordered", run: ({ data }) => order.push(data) });
          jobs.define({ name: "wide", concurrency: 3, run });
        },
      });
      if (database.kind === "postgres") return again;
      const { db } = again.plinth.app;
      await db.transaction(async () => {
        for (const priority of [0, 5, -1]) await again.jobs.enqueue("ordered", priority, { priority });
      });
      return again;
    };

    it("are declared in register only, in a form that can be", async () => {
      const refused = (declare: JobsAppOptions["declare"]) =>
        makeJobsApp(database.config(), { ...(declare ? { declare } : {}) })
          .plinth.start()
          .then(
            () => "started",
            (error: { cause?: { code?: string; message?: string } }) => `${error.cause?.code} ${error.cause?.message}`,
          );
      const run = () => undefined;
      expect(await refused((jobs) => jobs.define({ name: "a b", run, retries: -1 }))).to.match(
        /^PLINTH_JOBS_DEFINITION_INVALID .*name must be.*retries must be/,
      );
      expect(
        await refused((jobs) => {
          for (let n = 0; n < 2; n += 1) jobs.define({ name: "twice", run });
        }),
      ).to.match(/^PLINTH_JOBS_DEFINITION_INVALID .*already/);
      expect(await refused((jobs) => jobs.cron("x", "every day"))).to.match(
        /^PLINTH_JOBS_DEFINITION_INVALID .*five fields/,
      );
      expect(await refused((jobs) => jobs.cron("x", "* * * * *", { timezone: "Nowhere" }))).to.match(
        /^PLINTH_JOBS_DEFINITION_INVALID .*Nowhere/,
      );
      expect(await refused((jobs) => jobs.cron("missing", "* * * * *"))).to.match(/^PLINTH_JOBS_UNKNOWN /);
      const { jobs } = await start({ declare: (jobs) => jobs.define({ name: "known", run }) });
      expect(() => jobs.define({ name: "late", run }))
        .to.throw()
        .with.property("code", "PLINTH_JOBS_LATE");
      const codeOf = (attempt: Promise<unknown>) =>
        attempt.then(
          () => "done",
          ({ code }: { code: string }) => code,
        );
      expect(await codeOf(jobs.enqueue("knwon", {}))).to.equal("PLINTH_JOBS_UNKNOWN");
      const circle: { self?: object } = {};
      circle.self = circle;
      for (const data of [undefined, circle, "\0", { deep: ["a\\\0"] }, "x".repeat(1_000_001)])
        expect(await codeOf(jobs.enqueue("known", data))).to.equal("PLINTH_JOBS_ENQUEUE_INVALID");
      for (const options of [{ priority: 0.5 }, { key: "" }, { at: new Date("no") }])
        expect(await codeOf(jobs.enqueue("known", {}, options))).to.equal("PLINTH_JOBS_ENQUEUE_INVALID");
      const wrong = makeJobsApp(database.config(), { config: { works: true } });
      expect(await wrong.plinth.start().then(String, ({ code, message }) => `${code} ${message}`)).to.match(
        /PLINTH_JOBS_CONFIG_INVALID|works/,
      );
    });

    it("have tables that no plan of the schema wants to change or drop", async () => {
      const { plinth } = await start({});
      const { steps, isUpToDate } = await planSync(plinth.app.db, plinth.app.model);
      expect([steps, isUpToDate]).to.deep.equal([[], true]);
      await plinth.app.db.query({ text: "drop table plinth_job", values: [] });
      const again = await planSync(plinth.app.db, plinth.app.model);
      expect(again.steps.map(({ kind, table, isDestructive }) => [kind, table, isDestructive])).to.deep.equal([
        ["create table", "plinth_job", false],
      ]);
      for (const text of again.steps.flatMap(({ sql }) => sql)) await plinth.app.db.query({ text, values: [] });
    });
  });
});

function withResolvers() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

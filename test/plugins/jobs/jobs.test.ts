import { setTimeout as sleep } from "node:timers/promises";
import type { Job, Jobs } from "@plinth/plugin-jobs";
import { expect } from "chai";
import { planSync } from "#core/database/sync/plan-sync.js";
import { changeJobs } from "#plugins/jobs/src/select-jobs.js";
import { JobStore } from "#plugins/jobs/src/store.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { eachDatabase } from "../../databases.js";
import { type JobsApp, type JobsAppOptions, makeJobsApp, startJobsApp } from "./jobs-app.js";

describe("jobs", () => {
  eachDatabase((database) => {
    let app: JobsApp | undefined;
    const start = async (options: JobsAppOptions) => {
      app = await startJobsApp(database.config(), options);
      return app;
    };
    afterEach("stop it", async () => {
      await app?.plinth.app.db.query({ text: "delete from plinth_jobs", values: [] });
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
      expect(await plinth.app.db.query({ text: "select id from plinth_jobs", values: [] })).to.deep.equal([]);
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

    it("are taken back by their keys while they wait, in the transaction that says so, and not once they have begun", async () => {
      const ran: unknown[] = [];
      let goOn: () => void = () => undefined;
      const over = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const { jobs, plinth } = await start({
        declare: (jobs) =>
          jobs.define({
            name: "note",
            run: async ({ data }) => {
              ran.push(data);
              if (data === "begun") await over;
            },
          }),
      });
      const at = new Date(Date.now() + 3_600_000);
      for (const key of ["a", "b", "c"]) await jobs.enqueue("note", key, { key, at });
      await jobs.enqueue("note", "none", { at });
      await jobs.enqueue("note", "begun", { key: "begun" });
      await eventually(async () => expect(ran).to.deep.equal(["begun"]));
      const undone = plinth.app.db.transaction(async () => {
        expect(await jobs.cancel("note", ["a"])).to.equal(1);
        throw new RangeError("no");
      });
      await undone.catch(() => undefined);
      expect(await jobs.cancel("note", ["a", "b", "begun", "unknown"])).to.equal(2);
      expect(await jobs.cancel("note", [])).to.equal(0);
      goOn();
      const left = async () => (await jobs.waiting("note")).map(({ data }) => data).toSorted();
      await eventually(async () => expect(await left()).to.deep.equal(["c", "none"]));
      expect(await jobs.enqueue("note", "again", { key: "a", at })).to.be.a("string");
      const unknown = await jobs.cancel("unknown", ["a"]).catch((error: unknown) => error);
      expect(unknown).to.include({ code: "PLINTH_JOBS_UNKNOWN" });
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
      const text = "select name, state, fault ->> 'message' as message from plinth_jobs";
      await eventually(async () => {
        const rows = await plinth.app.db.query({ text, values: [] });
        expect(rows).to.deep.equal([{ name: "broken", state: "dead", message: "broken in 2" }]);
      });
      expect(attempts).to.deep.equal({ flaky: [1, 2], broken: [1, 2] });
      expect(logged).to.include("A job failed for the last time; plinth jobs retry runs it again");
    });

    it("fail with a reason that is cut in the middle of a character", async () => {
      const { jobs, plinth } = await start({
        declare: (jobs) => {
          const run = () => Promise.reject(new Error(`${"x".repeat(1_999)}\u{1F600}`));
          jobs.define({ name: "wordy", run, retries: 0 });
        },
      });
      await jobs.enqueue("wordy", {});
      await jobs.idle();
      const text = "select state, fault ->> 'message' as message from plinth_jobs";
      const rows = await plinth.app.db.query({ text, values: [] });
      expect(rows).to.deep.equal([{ state: "dead", message: `${"x".repeat(1_999)}\uFFFD` }]);
    });

    it("fail once where what they throw has no text, or is no error, and are not taken for abandoned", async () => {
      const frozen = Object.freeze(new Error("frozen"));
      const thrown = [Object.assign(new Error("x"), { message: { reason: "no such user" } }), undefined, frozen];
      const { jobs, plinth } = await start({
        declare: (jobs) => {
          jobs.define<number>({ name: "odd", run: ({ data }) => Promise.reject(thrown[data]), retries: 0 });
        },
      });
      for (const index of thrown.keys()) await jobs.enqueue("odd", index);
      await jobs.idle();
      const text = "select state, attempt, fault ->> 'message' as message from plinth_jobs order by id";
      expect(await plinth.app.db.query({ text, values: [] })).to.deep.equal(
        ['Error: {"reason":"no such user"}', "undefined", "frozen"].map((message) => ({
          ...{ state: "dead", attempt: 1, message },
        })),
      );
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
      const text = "select fault ->> 'code' as code from plinth_jobs where state = 'dead'";
      expect(await plinth.app.db.query({ text, values: [] })).to.deep.equal([{ code: "PLINTH_JOBS_TIMEOUT" }]);
      expect(reasons).to.deep.equal(["PLINTH_JOBS_TIMEOUT"]);
    });

    it("are dead when the process of their last attempt is gone, and not begun again until somebody asks for it", async () => {
      const ran: unknown[] = [];
      const { jobs, plinth } = await start({
        declare: (jobs) => jobs.define({ name: "fatal", run: ({ attempt }) => ran.push(attempt) }),
      });
      const { db } = plinth.app;
      await db.query({
        text: `insert into plinth_jobs (name, state, attempt, attempts, started_at, at)
          values ('fatal', 'running', 2, 2, now() - interval '1 hour', now() - interval '1 minute')`,
        values: [],
      });
      await jobs.idle();
      const text = "select id::text, state, fault ->> 'code' as code from plinth_jobs";
      const [dead, ...others] = await db.query<{ id: string }>({ text, values: [] });
      expect([dead, others]).to.deep.equal([{ id: dead?.id, state: "dead", code: "PLINTH_JOBS_ABANDONED" }, []]);
      expect(await changeJobs(plinth.app, { states: ["dead"], id: String(dead?.id) }, "retry")).to.equal(1);
      await jobs.idle();
      expect(ran).to.deep.equal([4]);
    });

    it("are said to run, to have failed or to be given back by nobody who has lost them", async () => {
      const { jobs, plinth } = await start({
        declare: (jobs) => jobs.define({ name: "lost", run: () => undefined }),
        start: { listen: false },
      });
      const { db } = plinth.app;
      const id = await jobs.enqueue("lost", {});
      const [late, quick] = [new JobStore(db, 0), new JobStore(db, 60_000)];
      const [first] = await late.take("lost", 1, []);
      expect(await quick.take("lost", 1, [String(id)]), "not by itself").to.deep.equal([]);
      const [second] = await quick.take("lost", 1, []);
      if (!first || !second) throw new TypeError("It was not taken.");
      expect([first, second].map((each) => [each.id, each.attempt, each.isAbandoned])).to.deep.equal([
        [id, 1, false],
        [id, 2, true],
      ]);
      expect([...(await late.keep([first]))]).to.deep.equal([]);
      expect(await late.failed(first, 0, { message: "late" })).to.equal(false);
      await late.giveBack([first]);
      expect([...(await quick.keep([second]))]).to.deep.equal([id]);
      await quick.giveBack([second]);
      const text = "select state, attempt, fault from plinth_jobs";
      expect(await db.query({ text, values: [] })).to.deep.equal([{ state: "waiting", attempt: 1, fault: null }]);
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

    it("with a key run after the commit of who found one that waits", async () => {
      const { jobs, plinth } = await start({
        declare: (jobs) => jobs.define({ name: "fold", run: () => undefined, key: () => "all" }),
        start: { listen: false },
      });
      const { db } = plinth.app;
      const taken = () => new JobStore(db, 60_000).take("fold", 1, []);
      const first = await jobs.enqueue("fold", {});
      // PGlite has one transaction at a time.
      if (database.kind === "postgres") {
        const [enqueued, commit] = [withResolvers(), withResolvers()];
        const writing = db.transaction(async () => {
          expect(await jobs.enqueue("fold", {})).to.equal(undefined);
          enqueued.resolve();
          await commit.promise;
        });
        await enqueued.promise;
        expect(await taken(), "its writer has not committed").to.deep.equal([]);
        commit.resolve();
        await writing;
      }
      expect((await taken()).map(({ id }) => id)).to.deep.equal([first]);
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
      await enqueueOrdered(jobs);
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
      expect(order, "of one priority, those that came first").to.deep.equal([5, 0, "second", "third", -1]);
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
      await db.transaction(() => enqueueOrdered(again.jobs));
      return again;
    };

    const enqueueOrdered = async (jobs: Jobs) => {
      for (const priority of [0, 5, -1]) await jobs.enqueue("ordered", priority, { priority });
      for (const name of ["second", "third"]) await jobs.enqueue("ordered", name);
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
      for (const data of [undefined, circle, "\0", "\ud83d", { deep: ["a\\\0"] }, "x".repeat(1_000_001)])
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
      await plinth.app.db.query({ text: "drop table plinth_jobs", values: [] });
      const again = await planSync(plinth.app.db, plinth.app.model);
      expect(again.steps.map(({ kind, table, isDestructive }) => [kind, table, isDestructive])).to.deep.equal([
        ["create table", "plinth_jobs", false],
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

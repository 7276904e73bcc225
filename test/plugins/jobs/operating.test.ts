import { channels, type JobMessage } from "@plinth/core/telemetry";
import { metricsPlugin } from "@plinth/plugin-metrics";
import { expect } from "chai";
import { examineChecks } from "#core/app/examine-checks.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { runCommand } from "../../run-command.js";
import { readMetrics } from "../metrics/read-metrics.js";
import { type JobsApp, startJobsApp } from "./jobs-app.js";
import type { Command } from "@plinth/core";

describe("operating jobs", () => {
  eitherDatabase(import.meta.url, (database) => {
    let app: JobsApp;
    let isBroken = true;
    const ran: unknown[] = [];
    before("start it", async () => {
      app = await startJobsApp(database.config(), {
        plugins: [metricsPlugin],
        server: { management: 0 },
        declare: (jobs) => {
          jobs.define({
            ...{ name: "flaky", retries: 0 },
            run: ({ data }) => {
              if (isBroken) throw new Error("out of order");
              ran.push(data);
            },
          });
          jobs.define({ name: "fine", run: () => undefined });
        },
      });
    });
    after(() => app.plinth.stop());
    const { query } = { query: (text: string) => app.plinth.app.db.query({ text, values: [] }) };
    const run = (name: string, given: Parameters<typeof runCommand>[2] = {}) =>
      runCommand(app.plinth.app.registry("command").get(name) as Command, app.plinth.app, given);
    const listed = async (options: object = {}) =>
      JSON.parse((await run("jobs list", { options: { json: true, ...options } })).stdout) as Record<string, unknown>[];
    const codeOf = (attempt: Promise<unknown>) =>
      attempt.then(
        () => "done",
        ({ code }: { code: string }) => code,
      );

    it("commands list dead and waiting jobs, run them again, and drop them", async () => {
      isBroken = true;
      const dead = await app.jobs.enqueue("flaky", { n: 1 }, { key: "k" });
      const other = await app.jobs.enqueue("flaky", { n: 2 });
      const later = await app.jobs.enqueue("fine", {}, { at: new Date(Date.now() + 3_600_000) });
      await app.jobs.idle();
      const all = await listed();
      expect(all.map(({ id, state }) => [id, state])).to.have.deep.members([
        [dead, "dead"],
        [other, "dead"],
        [later, "waiting"],
      ]);
      const [shown] = await listed({ state: "dead", job: "flaky" });
      expect(shown).to.deep.include({ job: "flaky", attempts: 1, reason: "out of order", data: { n: 1 }, key: "k" });
      expect((await run("jobs list", { options: { state: "dead" } })).stdout).to.match(/flaky +dead +1 .*out of order/);
      expect((await run("jobs list", { options: { state: "running" } })).stdout).to.equal("There are no such jobs.");
      isBroken = false;
      const { stdout } = await run("jobs retry", { arguments: { id: String(dead) } });
      expect(stdout).to.equal("1 job is run again.");
      await eventually(async () => expect(ran).to.deep.equal([{ n: 1 }]));
      expect((await run("jobs drop", { arguments: { id: String(later) } })).stdout).to.equal("1 job is deleted.");
      expect((await run("jobs drop", { options: { all: true } })).stdout).to.equal("1 job is deleted.");
      expect((await run("jobs retry", { options: { job: "flaky" } })).stdout).to.equal("0 jobs are run again.");
      expect(await listed()).to.deep.equal([]);
    });

    it("commands say what they miss", async () => {
      expect(await codeOf(run("jobs retry"))).to.equal("PLINTH_JOBS_NONE_NAMED");
      expect(await codeOf(run("jobs drop", { arguments: { id: "none" } }))).to.equal("PLINTH_JOBS_NOT_FOUND");
      expect(await codeOf(run("jobs list", { options: { state: "ded" } }))).to.equal("PLINTH_JOBS_UNKNOWN_STATE");
      expect(await codeOf(run("jobs list", { options: { job: "flakey" } }))).to.equal("PLINTH_JOBS_UNKNOWN");
      for (const limit of ["abc", "0", "1.5", "-1"])
        expect(await codeOf(run("jobs list", { options: { limit } })), limit).to.equal("PLINTH_JOBS_LIMIT_INVALID");
    });

    it("commands drop what no code has any more", async () => {
      await query("insert into plinth_jobs (name, state, at) values ('former', 'dead', now())");
      const { stdout } = await run("jobs drop", { options: { job: "former" } });
      expect(stdout).to.equal("1 job is deleted.");
    });

    it("the doctor finds dead jobs, and those that nobody runs", async () => {
      const { health } = app.plinth.app;
      expect(await examineChecks(health)).to.deep.equal([]);
      await query(`insert into plinth_jobs (name, state, at, fault) values
        ('a', 'dead', now(), '{"message": "no disk"}'), ('b', 'waiting', now() - interval '10 minutes', null),
        ('c', 'running', now() - interval '1 hour', null), ('d', 'waiting', now() + interval '1 hour', null)`);
      const found = await examineChecks(health);
      expect(found.map(({ weight, kind, where }) => [weight, kind, where])).to.deep.equal([
        ["error", "stuck jobs", "b"],
        ["error", "stuck jobs", "c"],
        ["warning", "dead jobs", "a"],
      ]);
      expect(found[0]?.what).to.match(/^1 wait, the oldest for 10 minutes$/);
      expect(found[2]?.what).to.include("no disk");
      await query("delete from plinth_jobs");
      await query("alter table plinth_jobs rename to plinth_jobs_away");
      expect((await examineChecks(health)).map(({ weight, where }) => [weight, where])).to.deep.equal([
        ["error", "queues"],
      ]);
      await query("alter table plinth_jobs_away rename to plinth_jobs");
    });

    it("health and metrics show what is run", async () => {
      isBroken = true;
      const results: JobMessage[] = [];
      const note = (message: JobMessage) => void results.push(message);
      channels.job.end.subscribe(note);
      await app.jobs.enqueue("flaky", {});
      await app.jobs.enqueue("fine", {});
      await app.jobs.idle();
      channels.job.end.unsubscribe(note);
      expect(results.map(({ queue, result, attempt }) => [queue, result, attempt])).to.have.deep.members([
        ["flaky", "dead", 1],
        ["fine", "done", 1],
      ]);
      await eventually(async () => {
        const text = await (await fetch(`${app.plinth.management()}/metrics`)).text();
        const { value } = readMetrics(text);
        expect(value("plinth_jobs_total", { queue: "fine", result: "done" })).to.equal(1);
        expect(value("plinth_job_seconds_count", { queue: "flaky", result: "dead" })).to.be.at.least(1);
        expect(value("plinth_jobs_oldest_seconds", { queue: "fine" })).to.equal(0);
      });
      await eventually(async () => {
        const { checks } = app.plinth.app.health.report();
        expect(checks["jobs"]).to.deep.equal({ status: "ok", works: true, running: 0, oldest: 0 });
      });
      await query("delete from plinth_jobs");
    });

    it("its own job adds up what writers left of totals", async () => {
      await query(
        `insert into plinth_deltas ("table", is_draft, locale, rows) select 'notes', false, '', 1 from generate_series(1, 20)`,
      );
      await app.jobs.enqueue("plinth:fold-totals", {});
      await app.jobs.idle();
      const text = `select count(*)::int as rows, plinth_total('notes', null, null)::int as total from plinth_deltas where "table" = 'notes'`;
      expect(await query(text)).to.deep.equal([{ rows: 1, total: 20 }]);
      await query(`delete from plinth_deltas where "table" = 'notes'`);
    });

    it("its own job forgets dead ones after 14 days", async () => {
      await query(`insert into plinth_jobs (name, state, at) values
        ('old', 'dead', now() - interval '15 days'), ('young', 'dead', now() - interval '13 days')`);
      await app.jobs.enqueue("plinth:forget-dead-jobs", {});
      await app.jobs.idle();
      expect(await query("select name from plinth_jobs")).to.deep.equal([{ name: "young" }]);
      await query("delete from plinth_jobs");
    });
  });
});

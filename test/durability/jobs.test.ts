import { setTimeout as sleep } from "node:timers/promises";
import type { Jobs } from "@plinth/plugin-jobs";
import { expect } from "chai";
import { eventually } from "../core/database/driver/note-app.js";
import { serverDatabase } from "../databases.js";
import { type JobsApp, startJobsApp } from "../plugins/jobs/jobs-app.js";
import { declareFaultJobs, EFFECTS } from "./fault-jobs.js";
import { type FleetProcess, startServing } from "./fleet-process.js";

/** How many faults: JOB_FAULTS for more. Every third cuts all connections, the others kill a process. */
const FAULTS = Number(process.env["JOB_FAULTS"] ?? 6);
const PROCESSES = 2;
/** What each of the faults may take on a busy machine, in milliseconds. */
const FAULT_TIME = 20_000;

const CUT = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

describe("jobs while processes are killed and connections are cut", function () {
  this.timeout(120_000 + FAULTS * FAULT_TIME);
  const database = serverDatabase();
  if (!database) return;
  let own: JobsApp;
  const processes: FleetProcess[] = [];
  after("stop all", async () => {
    await Promise.all(processes.map((each) => each.kill()));
    await own?.plinth.stop();
  });
  const serve = () => startServing(database.config(), "serve-jobs.ts");

  it("none is lost, each has its effect once, and each second has one job", async () => {
    own = await startJobsApp(database.config(), {
      start: { listen: false },
      declare: (jobs) => declareFaultJobs(jobs, async () => undefined),
    });
    const ask = <Row extends object>(text: string) => own.plinth.app.db.query<Row>({ text, values: [], isRead: true });
    await own.plinth.app.db.query({ text: EFFECTS, values: [] });
    processes.push(...(await Promise.all(Array.from({ length: PROCESSES }, serve))));
    const writers = new Enqueuers(own.jobs);
    for (let fault = 1; fault <= FAULTS; fault += 1) {
      await sleep(300 + Math.random() * 700);
      if (fault % 3 === 0) await ask(CUT).catch(() => undefined);
      else {
        await processes.shift()?.kill();
        processes.push(await serve());
      }
    }
    const acknowledged = await writers.stop();
    const waiting = "select id from plinth_jobs where name = 'effect'";
    await eventually(async () => expect(await ask(waiting)).to.deep.equal([]), 90_000);
    const done = await ask<{ key: string; jobs: number; runs: number }>(
      "select key, count(*)::int as jobs, sum(runs)::int as runs from effects where kind = 'effect' group by key",
    );
    const known = new Set(done.map(({ key }) => key));
    const lost = acknowledged.filter((key) => !known.has(key));
    const twice = done.filter(({ jobs }) => jobs !== 1);
    const again = done.filter(({ runs }) => runs > 1).length;
    const ticks = await ask<{ at: number; jobs: number }>(
      "select extract(epoch from key::timestamptz)::int as at, count(*)::int as jobs from effects where kind = 'tick' group by key order by 1",
    );
    const missing = ticks.slice(1).filter(({ at }, i) => at !== (ticks[i]?.at ?? 0) + 1);
    const doubled = ticks.filter(({ jobs }) => jobs !== 1);
    console.log(
      `      [fleet] jobs: ${FAULTS} faults, ${acknowledged.length} enqueued, ${lost.length} lost, ${twice.length} enqueued twice, ${again} run again, ${ticks.length} ticks, ${missing.length} missed, ${doubled.length} twice`,
    );
    expect(acknowledged).to.have.length.at.least(FAULTS * 10);
    expect({ lost, twice, missing, doubled }).to.deep.equal({ lost: [], twice: [], missing: [], doubled: [] });
  });
});

/** Enqueue jobs one after the other, and know which of them were acknowledged. */
class Enqueuers {
  #isOver = false;
  readonly #acknowledged: string[] = [];
  readonly #running: Promise<unknown>;

  constructor(jobs: Jobs) {
    this.#running = Promise.all([0, 1, 2].map((writer) => this.#enqueue(jobs, writer)));
  }

  async stop(): Promise<readonly string[]> {
    this.#isOver = true;
    await this.#running;
    return this.#acknowledged;
  }

  async #enqueue(jobs: Jobs, writer: number): Promise<void> {
    for (let n = 1; !this.#isOver; n += 1) {
      const key = `${writer}-${n}`;
      // Where the connection was cut, its outcome is unknown.
      const id = await jobs.enqueue("effect", { key }).catch(() => undefined);
      if (id !== undefined) this.#acknowledged.push(key);
      await sleep(25);
    }
  }
}

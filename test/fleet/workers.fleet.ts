import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { freePort } from "../../scripts/postgres-server.mjs";
import { RunningCommand, runPlinth, scaffoldedApp } from "../core/cli/plinth-command.js";
import { guideServer } from "../core/cli/workers/guide-server.js";
import { useOf } from "../cost/process-use.js";
import { databaseVariables, serverDatabase } from "../databases.js";
import { type Nginx, startNginx } from "./nginx.js";
import { Reads } from "./reads.js";

/** What the management port says. */
interface Together {
  readonly status: string;
  readonly workers: readonly { readonly pid: number; readonly status: string }[];
}

/** Seconds until processes have started: by the clock, of their processor, and of cores that had nothing to do. */
interface Start {
  readonly seconds: number;
  readonly processor: number;
  readonly idle: number;
}

const idleSeconds = (): number => cpus().reduce((sum, { times }) => sum + times.idle, 0) / 1_000;

const WORKERS = 3;
/** How often all workers are replaced, and one of them is killed; and the reads after each, however fast they are. */
const REPLACED = 4;
const KILLS = 4;
const READS = 1_500;
/** Milliseconds between two requests of a client: replacements wait for the processor, not for reads that take all of it. */
const PAUSE = 10;
/** The share of reads that may fail behind a plain nginx: its second try may take a connection of the killed worker, too. */
const MAY_FAIL = 0.001;
/** Starts at once, and how often one's share of the cores each may take. */
const STARTS = 10;
const MOST = 2;

describe("the workers of a new app", function () {
  this.timeout(600_000);
  const database = serverDatabase();
  if (!database) throw new Error("These tests need a server: npm run test:fleet starts one.");
  const root = scaffoldedApp();
  const counts = { reads: 0, failed: 0 };
  let port = 0;
  let management = "";
  let command: RunningCommand;
  let nginx: Nginx | undefined;

  const together = async (): Promise<Together> =>
    (await (await fetch(`${management}/health/ready`)).json()) as Together;
  const until = async (holds: (now: Together) => boolean): Promise<Together> => {
    for (;;) {
      const now = await together();
      if (holds(now)) return now;
      await sleep(50);
    }
  };
  const report = (name: string, { count, failures, milliseconds }: Reads): void => {
    const sorted = [...milliseconds].sort((a, b) => a - b);
    const p99 = sorted[Math.floor(count * 0.99)] ?? 0;
    console.log(`[fleet] workers, ${name}: ${failures.length} of ${count} GET failed; p99 ${p99.toFixed(0)} ms`);
    counts.reads += count;
    counts.failed += failures.length;
  };

  before(async () => {
    mkdirSync(join(root, "config/env/production"), { recursive: true });
    writeFileSync(join(root, "config/env/production/server.ts"), guideServer("drainDelay: 2_000,"));
    const { code, stderr } = await runPlinth(["build"], { cwd: root });
    if (code !== 0) throw new Error(stderr);
    port = await freePort();
    const [managed, listen] = [await freePort(), await freePort()];
    management = `http://127.0.0.1:${managed}`;
    const own = { PORT: String(port), MANAGEMENT_PORT: String(managed) };
    const env = { ...databaseVariables(database), ...own, LOG_LEVEL: "info", PROXIES: "1" };
    command = new RunningCommand(["start", "--workers", String(WORKERS)], { cwd: root, env });
    await command.waitFor(/workers +\d+, of process/);
    const conf = readFileSync(join(root, "deploy", "nginx.conf"), "utf8")
      .replace("app1:1337", `127.0.0.1:${port}`)
      .replace("app2:1337", `127.0.0.1:${port}`)
      .replace("listen 80;", `listen 127.0.0.1:${listen};`);
    nginx = await startNginx(conf, listen);
    nginxUrl = `http://127.0.0.1:${listen}`;
  });
  let nginxUrl = "";
  after(async () => {
    await nginx?.close();
    await command.stop("SIGKILL");
  });

  it("answer every read while they are replaced, again and again", async () => {
    const reads = new Reads(`http://127.0.0.1:${port}/api/articles?populate=author`, PAUSE);
    for (let time = 0; time < REPLACED; time += 1) {
      const before = reads.count;
      command.forget();
      command.signal("SIGHUP");
      await command.waitFor(new RegExp(`${WORKERS} workers were replaced in`));
      expect(reads.count).to.be.greaterThan(before);
      await reads.more(READS);
    }
    report("replaced on SIGHUP", await reads.end());
    expect(reads.failures).to.deep.equal([]);
  });

  it("answer 999 of 1,000 reads behind nginx while one of them is killed, again and again", async () => {
    const reads = new Reads(`${nginxUrl}/api/articles?populate=author`, PAUSE);
    for (let time = 0; time < KILLS; time += 1) {
      const { workers } = await until(({ status }) => status === "ready");
      command.forget();
      process.kill(workers[0]?.pid ?? 0, "SIGKILL");
      await command.waitFor(/has ended \(SIGKILL\)/);
      await reads.more(READS);
    }
    await until(({ status }) => status === "ready");
    report("one killed -9 behind nginx", await reads.end());
    expect(reads.failures.length, reads.failures.join("; ")).to.be.lessThan(1 + MAY_FAIL * reads.count);
  });

  it("are replaced within a minute although one of them stands still", async () => {
    const old = (await until(({ status }) => status === "ready")).workers.map(({ pid }) => pid);
    const since = performance.now();
    process.kill(old[0] ?? 0, "SIGSTOP");
    command.forget();
    command.signal("SIGHUP");
    await command.waitFor(new RegExp(`Worker \\d+ \\(process ${old[0]}\\) said nothing for 30 s, and was killed`));
    await command.waitFor(new RegExp(`${WORKERS} workers were replaced in`));
    const seconds = (performance.now() - since) / 1_000;
    const now = (await until(({ status }) => status === "ready")).workers.map(({ pid }) => pid);
    console.log(`[fleet] workers, one stands still and SIGHUP: all ${WORKERS} replaced after ${seconds.toFixed(0)} s`);
    expect(now.filter((pid) => old.includes(pid))).to.deep.equal([]);
  });

  it("stop with the answer to the last request", async () => {
    const reads = new Reads(`http://127.0.0.1:${port}/api/articles?populate=author`, PAUSE);
    await reads.more(100);
    const stopped = command.stop();
    await until(({ status }) => status === "draining");
    // Before the delay is over: who is not told by a balancer is refused after it.
    await reads.more(50);
    report("draining", await reads.end());
    expect(reads.failures).to.deep.equal([]);
    expect(await stopped).to.equal(0);
    console.log(`[fleet] workers: ${counts.failed} of ${counts.reads} GET failed, SIGHUP, kill -9 and SIGTERM`);
    expect(counts.reads).to.be.greaterThan((REPLACED + KILLS) * READS);
  });
});

describe("ten processes that start at once on an empty database", function () {
  this.timeout(600_000);
  const [first, second] = [serverDatabase(), serverDatabase()];
  const root = scaffoldedApp();
  const start = async (database: typeof first): Promise<RunningCommand> => {
    const env = { ...databaseVariables(database), LOG_LEVEL: "warn" };
    const command = new RunningCommand(["start"], { cwd: root, env });
    await command.waitFor(/started in/);
    return command;
  };
  const startAll = async (count: number, database: typeof first): Promise<Start> => {
    const [since, idleBefore] = [performance.now(), idleSeconds()];
    const processes = await Promise.all(Array.from({ length: count }, () => start(database)));
    const [seconds, idle] = [(performance.now() - since) / 1_000, idleSeconds() - idleBefore];
    const processor = processes.reduce((sum, { pid }) => sum + (useOf(pid)?.processor ?? Number.NaN), 0);
    await Promise.all(processes.map((each) => each.stop()));
    return { seconds, processor, idle };
  };

  it(`take less than ${MOST} times as long as one, where each has its share of the cores`, async () => {
    const { code, stderr } = await runPlinth(["build"], { cwd: root });
    if (code !== 0) throw new Error(stderr);
    const one = await startAll(1, first);
    const all = await startAll(STARTS, second);
    // Cores that do something else say nothing of them.
    const times = (all.processor + all.idle) / (STARTS * one.processor);
    console.log(
      `[fleet] start: ${STARTS} at once ${all.seconds.toFixed(1)} s, of processor ${all.processor.toFixed(1)} s and idle ${all.idle.toFixed(1)} s, one ${one.seconds.toFixed(1)} s, of processor ${one.processor.toFixed(1)} s; on ${availableParallelism()} cores ${times.toFixed(2)} times its share`,
    );
    expect(times).to.be.lessThan(MOST);
  });
});

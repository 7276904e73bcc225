import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { freePort } from "../../scripts/postgres-server.mjs";
import { RunningCommand, runPlinth, scaffoldedApp } from "../core/cli/plinth-command.js";
import { databaseVariables, serverDatabase } from "../databases.js";
import { Balancer } from "./balancer.js";
import { HeldSocket } from "./held-socket.js";
import { type Nginx, startNginx } from "./nginx.js";
import { Reads } from "./reads.js";

const database = serverDatabase();
if (!database) throw new Error("These tests need a server: npm run test:fleet starts one.");

/** Reads before, between and after what happens to a process. */
const PHASE = 800;

/** The files of an app that it may not change, with the time of their last change. */
const filesOf = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => !/^(node_modules|\.plinth)(\/|$)/.test(path))
    .map((path) => `${path} ${statSync(join(root, path)).mtimeMs}`);

/** Waits until an address answers so. */
async function untilStatus(url: string, status: number): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === status) return;
    await sleep(50);
  }
}

describe("two processes of a new app behind its nginx.conf", () => {
  const root = scaffoldedApp();
  const ports: number[] = [];
  const processes: RunningCommand[] = [];
  let nginx: Nginx | undefined;
  let balancer: Balancer | undefined;
  let url = "";
  let built: readonly string[] = [];

  const start = async (index: number): Promise<void> => {
    const env = { ...databaseVariables(database), PORT: String(ports[index]), PROXIES: "1", LOG_LEVEL: "warn" };
    processes[index] = new RunningCommand(["start"], { cwd: root, env });
    await processes[index].waitFor(/started in/);
    await untilStatus(`http://127.0.0.1:${ports[index]}/health/ready`, 200);
  };
  const restart = async (index: number): Promise<void> => {
    expect(await processes[index]?.stop()).to.equal(0);
    await start(index);
  };

  before(async () => {
    const { code, stderr } = await runPlinth(["build"], { cwd: root });
    if (code !== 0) throw new Error(stderr);
    built = filesOf(root);
    for (let i = 0; i < 3; i += 1) ports.push(await freePort());
    await Promise.all([start(0), start(1)]);
    const [one = 0, other = 0, listen = 0] = ports;
    const conf = readFileSync(join(root, "deploy", "nginx.conf"), "utf8")
      .replace("app1:1337", `127.0.0.1:${one}`)
      .replace("app2:1337", `127.0.0.1:${other}`)
      .replace("listen 80;", `listen 127.0.0.1:${listen};`);
    nginx = await startNginx(conf, listen);
    url = `http://127.0.0.1:${listen}`;
  });
  let socket: HeldSocket | undefined;
  after(async () => {
    socket?.close();
    balancer?.close();
    await nginx?.close();
    await Promise.all(processes.map((each) => each.stop()));
  });

  const report = (name: string, { count, failures, milliseconds }: Reads): void => {
    const sorted = [...milliseconds].sort((a, b) => a - b);
    const p99 = sorted[Math.floor(count * 0.99)] ?? 0;
    console.log(
      `[fleet] ${name}: ${failures.length} of ${count} GET failed; p99 ${p99.toFixed(0)} ms, slowest ${(sorted.at(-1) ?? 0).toFixed(0)} ms`,
    );
    expect(failures).to.deep.equal([]);
  };
  /** Does something while clients read: they get answers meanwhile, and after it. */
  const whileRead = async (reads: Reads, work: () => Promise<unknown>): Promise<void> => {
    const before = reads.count;
    await work();
    expect(reads.count).to.be.greaterThan(before);
    await reads.more(PHASE);
  };

  it("answer every read while both are restarted, one after the other", async () => {
    const reads = new Reads(`${url}/api/articles?populate=author`);
    await reads.more(PHASE);
    for (const index of [0, 1]) await whileRead(reads, () => restart(index));
    report("rolling restart behind nginx", await reads.end());
  });

  it("answer every read while one of them is killed, and started again", async () => {
    const reads = new Reads(`${url}/api/articles?populate=author`);
    await reads.more(PHASE);
    await processes[0]?.stop("SIGKILL");
    await reads.more(2 * PHASE);
    await whileRead(reads, () => start(0));
    report("one process killed -9 behind nginx", await reads.end());
  });

  it("answer every read behind a balancer by readiness, with one killed, and both restarted, again and again", async () => {
    balancer = new Balancer(ports.slice(0, 2).map((port) => `http://127.0.0.1:${port}`));
    const reads = new Reads(`${await balancer.start()}/api/articles?populate=author`);
    let restarted = 0;
    await reads.more(PHASE);
    for (const index of [0, 1]) {
      await processes[index]?.stop("SIGKILL");
      await whileRead(reads, () => start(index));
      for (const each of [0, 1]) {
        // The one that was started has to be found before the other one stops.
        await balancer.ask();
        await whileRead(reads, () => restart(each));
        restarted += 1;
      }
      await balancer.ask();
    }
    report(
      `balancer by readiness, each killed -9 once, ${restarted} restarts, ${balancer.tried} reads tried on the other`,
      await reads.end(),
    );
  });

  it("are ready for those outside while one of them stops", async () => {
    const answer = await fetch(`${url}/health/ready`);
    expect([answer.status, await answer.json()]).to.deep.equal([200, { status: "ready" }]);
    const stopped = processes[0]?.stop();
    const states: number[] = [];
    for (let i = 0; i < 40; i += 1) {
      states.push((await fetch(`${url}/health/ready`)).status);
      await sleep(25);
    }
    expect(new Set(states)).to.deep.equal(new Set([200]));
    expect(await stopped).to.equal(0);
  });

  it("need no nginx where a socket outlives the process: reads wait while the only one is restarted", async () => {
    const variables = { ...databaseVariables(database), LOG_LEVEL: "warn" };
    socket = new HeldSocket();
    let stop = await socket.start(root, variables);
    const reads = new Reads(`${socket.url}/api/articles?populate=author`);
    for (let i = 0; i < 2; i += 1) {
      await reads.more(PHASE);
      expect(await stop()).to.equal(0);
      stop = await socket.start(root, variables);
    }
    await reads.more(PHASE);
    report("two restarts with a socket of systemd", await reads.end());
    expect(await stop()).to.equal(0);
  });

  it("write to .plinth and nowhere else", () => {
    expect(filesOf(root)).to.deep.equal(built);
  });
});

import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { countWorkers } from "#core/cli/workers/count-workers.js";
import { freePort } from "../../../../scripts/postgres-server.mjs";
import { databaseVariables, serverDatabase } from "../../../databases.js";
import { HeldSocket } from "../../../fleet/held-socket.js";
import { Reads } from "../../../fleet/reads.js";
import { emptyFolder, RunningCommand, runPlinth, scaffoldedApp } from "../plinth-command.js";
import { guideServer } from "./guide-server.js";

/** The answer of the management port. */
interface Together {
  readonly status: string;
  readonly workers: readonly {
    readonly worker: number;
    readonly pid: number;
    readonly status: string;
    readonly checks: object;
  }[];
}

/** Each process counts from 1 up, and what has ended stays. */
/** Milliseconds between two reads of a client. */
const PAUSE = 10;
/** Reads before and after what happens to a worker. */
const READS = 30;
const COUNTER = `
let asked = 0;
const sum = (texts: readonly string[]) => texts.reduce((all, text) => all + Number(text), 0);
export const count = {
  path: "/count",
  read: () => String(++asked),
  combine: (living: readonly string[], ended?: string) => ({
    type: "text/plain",
    body: [sum([...living, ended ?? "0"]), living.length, ended ?? "none"].join(" "),
  }),
  keep: (texts: readonly string[]) => String(sum(texts)),
};
`;

describe("plinth start --workers", () => {
  const database = serverDatabase();
  const cwd = scaffoldedApp();
  const loaded = emptyFolder();
  const running: RunningCommand[] = [];
  let port = 0;
  let management = "";

  after("stop what is left", () => Promise.all(running.map((command) => command.stop("SIGKILL"))));
  before("build", async () => {
    mkdirSync(join(cwd, "config/env/production"), { recursive: true });
    writeFileSync(join(cwd, "config/env/production/server.ts"), guideServer("drainDelay: 300,"));
    writeFileSync(join(cwd, "src/count.ts"), COUNTER);
    const index = join(cwd, "src/index.ts");
    const source = readFileSync(index, "utf8").replace("defineApp({", "defineApp({ management: { count },");
    writeFileSync(index, `import { count } from "./count.js";\n${source}`);
    const { code, stdout, stderr } = await runPlinth(["build"], { cwd });
    if (code !== 0) throw new Error(stdout + stderr);
  });

  const start = async (count: string, more: Readonly<Record<string, string>> = {}): Promise<RunningCommand> => {
    port = await freePort();
    const other = await freePort();
    management = `http://127.0.0.1:${other}`;
    const env = {
      ...databaseVariables(database),
      PORT: String(port),
      MANAGEMENT_PORT: String(other),
      LOG_LEVEL: "info",
      ...more,
    };
    const command = new RunningCommand(["start", "--workers", count], { cwd, env });
    running.push(command);
    await command.waitFor(/workers +\d+, of process \d+/);
    return command;
  };
  const together = async () => (await (await fetch(`${management}/health/ready`)).json()) as Together;
  const until = async (holds: (now: Together) => boolean): Promise<Together> => {
    for (;;) {
      const now = await together();
      if (holds(now)) return now;
      await sleep(50);
    }
  };
  const pidsOf = ({ workers }: Together) => workers.map(({ pid }) => pid);
  const read = () => fetch(`http://127.0.0.1:${port}/api/articles`, { headers: { connection: "close" } });

  it("takes a number, or as many as there are cores", () => {
    expect(countWorkers("3")).to.equal(3);
    expect(countWorkers("auto")).to.equal(availableParallelism());
    for (const wrong of ["0", "-1", "1.5", "many", "", "257"])
      expect(() => countWorkers(wrong), wrong)
        .to.throw()
        .with.property("code", "PLINTH_CLI_INVALID_WORKERS");
  });

  it("says that the embedded database takes one process only", async () => {
    const { code, stderr } = await runPlinth(["start", "--workers", "2"], { cwd, env: { MANAGEMENT_PORT: "0" } });
    expect(code).to.equal(1);
    expect(stderr.match(/PLINTH_CLI_WORKERS_EMBEDDED/g)).to.have.length(1);
    expect(existsSync(join(cwd, ".plinth/data"))).to.equal(false);
  });

  if (!database) return;

  it("ends as a single process does when the first start fails, and tries no second time", async () => {
    const wrong = { ...databaseVariables(database), LOG_LEVEL: "loud", MANAGEMENT_PORT: "0" };
    const alone = await runPlinth(["start"], { cwd, env: wrong });
    const several = await runPlinth(["start", "--workers", "3"], { cwd, env: wrong });
    expect(alone.stderr).to.include("PLINTH_CONFIG_WRONG");
    expect(several.stderr.replace(/^\[plinth\].*\n/gm, "")).to.equal(alone.stderr.replace(/^\[plinth\].*\n/gm, ""));
    expect(several.code).to.equal(alone.code);
  });

  it("says which port is taken, once", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const env = {
      ...databaseVariables(database),
      PORT: String((other.address() as AddressInfo).port),
      MANAGEMENT_PORT: "0",
    };
    const { code, stderr } = await runPlinth(["start", "--workers", "2"], { cwd, env });
    other.close();
    expect(stderr.match(/Error /g)).to.have.length(1);
    expect(stderr).to.include("PLINTH_HTTP_CANNOT_LISTEN").and.include("EADDRINUSE");
    expect(code).to.equal(1);
  });

  describe("of one start", () => {
    const hook = `--import=${import.meta.resolve("../record-loaded.mjs")}`;
    let pids: readonly unknown[] = [];

    it("serves by several processes, says how each is, and stops them in order", async () => {
      const command = await start("2", { NODE_OPTIONS: hook, LOADED_FOLDER: loaded });
      const { status, workers } = await until((now) => now.status === "ready");
      const [, parent] = await command.waitFor(/of process (\d+)/);
      pids = [parent, ...pidsOf({ status, workers })];
      expect([status, workers.map(({ worker }) => worker)]).to.deep.equal(["ready", [1, 2]]);
      expect(workers[1]?.checks).to.include.keys("database", "schema");
      expect(new Set(pidsOf({ status, workers })).size).to.equal(2);
      const listed = await runPlinth(["processes", "--json"], { cwd, env: databaseVariables(database) });
      const hosts = (JSON.parse(listed.stdout) as readonly { readonly host: string }[]).map(({ host }) =>
        host.slice(-2),
      );
      expect(hosts.sort()).to.deep.equal(["#1", "#2"]);
      expect((await fetch(`http://127.0.0.1:${port}/count`)).status).to.equal(404);
      const stopped = command.stop();
      await until((now) => now.status === "draining");
      expect((await read()).status, "taken until drainDelay is over").to.equal(200);
      expect(await stopped).to.equal(0);
      expect(command.stderr).to.include("stopped");
      expect(await read().catch(() => "refused")).to.equal("refused");
    });

    it("keeps the app, and what it is made of, out of the parent process", () => {
      const packagesOf = (pid: unknown) => JSON.parse(readFileSync(join(loaded, `${pid}-0.json`), "utf8")) as string[];
      const [parent, ...workers] = pids.map(packagesOf);
      const apps = ["koa", "knex", "pg", "graphql"];
      expect(workers).to.have.length(2);
      for (const worker of workers) expect(worker).to.include.members(apps);
      expect(parent?.filter((name) => apps.includes(name))).to.deep.equal([]);
    });
  });

  describe("whose workers come and go", () => {
    let command: RunningCommand;
    const both = () => until(({ status, workers }) => status === "ready" && workers.length === 2);
    const startReads = () => new Reads(`http://127.0.0.1:${port}/api/articles?populate=author`, PAUSE);

    before("start two", async () => {
      command = await start("2");
      await both();
    });

    it("adds up what all say, and what those said that have ended", async () => {
      const ask = async () => (await (await fetch(`${management}/count`)).text()).split(" ").map(Number);
      expect(await ask()).to.deep.equal([2, 2, Number.NaN]);
      expect(await ask()).to.deep.equal([4, 2, Number.NaN]);
      const [pid = 0] = pidsOf(await together());
      process.kill(pid, "SIGKILL");
      await until(({ status, workers }) => status === "ready" && !workers.some((worker) => worker.pid === pid));
      expect(await ask(), "2 of the dead, 3 and 1 of the living").to.deep.equal([6, 2, 2]);
      expect((await fetch(`${management}/other`)).status).to.equal(404);
    });

    it("goes on with the old ones when the new code does not start", async () => {
      const old = pidsOf(await both());
      const index = join(cwd, "dist/src/index.js");
      const good = readFileSync(index);
      writeFileSync(index, "throw new Error('not today');");
      command.signal("SIGHUP");
      await command
        .waitFor(/A new worker could not start \(exit code 1\); the old ones go on/)
        .finally(() => writeFileSync(index, good));
      expect(pidsOf(await until(({ workers }) => workers.length === 2))).to.deep.equal(old);
      expect((await read()).status).to.equal(200);
    });

    it("replaces all by new ones on SIGHUP, without a failed request", async () => {
      const old = pidsOf(await both());
      const reads = startReads();
      command.signal("SIGHUP");
      await command.waitFor(/2 workers were replaced in/);
      const now = pidsOf(await both());
      expect(now.filter((pid) => old.includes(pid))).to.deep.equal([]);
      const { count, failures } = await reads.end();
      console.log(`[fleet] workers: ${failures.length} of ${count} GET failed, two of two replaced on SIGHUP`);
      expect(failures).to.deep.equal([]);
    });

    it("starts a worker again that was killed, and loses no more than it was at work on", async () => {
      const { workers } = await both();
      const reads = startReads();
      await reads.more(READS);
      command.forget();
      process.kill(workers[0]?.pid ?? 0, "SIGKILL");
      await command.waitFor(/Worker 1 \(process \d+\) has ended \(SIGKILL\) and is started again now/);
      const degraded = await until((now) => now.workers.length === 1 || now.status === "degraded");
      expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status, degraded.status).to.equal(200);
      await both();
      await reads.more(READS);
      const { failures } = await reads.end();
      expect(failures.length, failures.join("; ")).to.be.lessThan(7);
    });

    it("ends with 0 when it is stopped after all that", async () => {
      expect(await command.stop()).to.equal(0);
    });
  });

  let socket: HeldSocket | undefined;
  after(() => socket?.close());
  it("is restarted behind a socket of systemd, and refuses no client meanwhile", async () => {
    socket = new HeldSocket();
    const env = { ...databaseVariables(database), LOG_LEVEL: "warn", MANAGEMENT_PORT: "0" };
    const options = ["--workers", "2"];
    let stop = await socket.start(cwd, env, options);
    const reads = new Reads(`${socket.url}/api/articles?populate=author`, PAUSE);
    await reads.more(READS);
    expect(await stop()).to.equal(0);
    stop = await socket.start(cwd, env, options);
    await reads.more(READS);
    const { count, failures } = await reads.end();
    expect(failures, `of ${count}`).to.deep.equal([]);
    expect(await stop()).to.equal(0);
  });
});

import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Readiness } from "#core/http/health.js";
import type { Release } from "#core/cli/workers/release.js";
import type { Worker, WorkerEnd } from "#core/cli/workers/worker.js";
import { Workers } from "#core/cli/workers/workers.js";

/** A worker without a process, which does what the test says. */
class Puppet {
  readonly since = new Date();
  readonly pid: number;
  readonly asked: string[] = [];
  report: { status: Readiness; checks: object } = { status: "starting", checks: {} };
  started: Promise<string | undefined>;
  ended: Promise<WorkerEnd>;
  readonly left = new Promise<never>(() => undefined);
  /** Why it is to be killed. */
  fault: string | undefined;
  isAskedToStop = false;
  #serve: (text?: string) => void = () => undefined;
  #end: (end: WorkerEnd) => void = () => undefined;

  constructor(
    readonly number: number,
    readonly release: Release,
    private readonly told: () => void,
    pid: number,
  ) {
    this.pid = pid;
    this.started = new Promise((resolve) => {
      this.#serve = resolve;
    });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  readonly channel = {
    call: async (name: string, value: unknown) => {
      this.asked.push(`${name} ${value}`);
    },
  };

  serve(status: Readiness = "ready"): void {
    this.report = { status, checks: {} };
    this.told();
    this.#serve(`worker ${this.number}`);
  }

  end(how = "SIGKILL", code = 1): void {
    this.#serve();
    this.#end({ how, code });
  }

  tick(): string | undefined {
    if (this.fault !== undefined) this.kill();
    return this.fault;
  }

  stop(): void {
    this.isAskedToStop = true;
    this.report = { status: "draining", checks: {} };
    this.told();
  }

  kill(): void {
    this.end();
  }
}

/**
 * Lets everything that is due happen. A pause of nothing is a timer of 1 ms, and timers of one length fire in the order in
 * which they were started, however late: one of 5 ms may come before it on a busy machine.
 */
const settle = async () => {
  await immediate();
  await sleep(1);
  await immediate();
};

describe("the workers of one parent", () => {
  let puppets: Puppet[];
  let log: string[];
  let workers: Workers;
  /** Where the newest version is; undefined: nowhere. */
  let newest: string | undefined = "1";
  const make = (count: number): Workers => {
    puppets = [];
    log = [];
    workers = new Workers({
      count,
      newest: () => ({ folder: newest ?? expect.fail("there is no version"), file: "" }),
      fork: (number, release, told) => {
        const puppet = new Puppet(number, release, told, puppets.length + 1);
        puppets.push(puppet);
        return puppet as unknown as Worker;
      },
      log: (level, message) => void log.push(`${level} ${message}`),
    });
    return workers;
  };
  /** Starts two that serve. */
  const startTwo = async (): Promise<void> => {
    const started = make(2).start(() => undefined);
    puppets[0]?.serve();
    await settle();
    puppets[1]?.serve();
    expect(await started).to.equal(undefined);
  };
  const stopAll = async (): Promise<number> => {
    const stopped = workers.stop();
    await settle();
    for (const puppet of puppets) puppet.end("exit code 0", 0);
    return stopped;
  };
  beforeEach(() => {
    newest = "1";
  });
  afterEach("stop", () => stopAll());

  it("start after the first, and print what the first prints", async () => {
    const printed: string[] = [];
    const started = make(3).start((text) => printed.push(text));
    await settle();
    expect(puppets).to.have.length(1);
    expect(workers.report().status).to.equal("starting");
    puppets[0]?.serve();
    await settle();
    expect(puppets.map(({ number }) => number)).to.deep.equal([1, 2, 3]);
    expect(workers.report().status).to.equal("degraded");
    for (const puppet of puppets) puppet.serve();
    expect(await started).to.equal(undefined);
    expect(printed).to.deep.equal(["worker 1"]);
    expect(workers.report().status).to.equal("ready");
    expect(puppets[2]?.asked).to.include("together ready");
  });

  it("stop when one of them cannot start at first, with its exit code", async () => {
    const started = make(3).start(() => undefined);
    puppets[0]?.serve();
    await settle();
    puppets[1]?.end("exit code 7", 7);
    puppets[2]?.serve();
    await settle();
    expect(puppets[0]?.isAskedToStop).to.equal(true);
    for (const puppet of puppets) puppet.end("exit code 0", 0);
    expect(await started).to.equal(7);
    expect(puppets).to.have.length(3);
  });

  it("are started again at once, and after a pause that grows where they end again", async () => {
    await startTwo();
    puppets[0]?.end();
    await settle();
    expect(puppets).to.have.length(3);
    puppets[2]?.end("exit code 1");
    await settle();
    expect(puppets, "it waits").to.have.length(3);
    await sleep(1_100);
    expect(puppets).to.have.length(4);
    puppets[3]?.end();
    await settle();
    expect(log.map((line) => line.replace(/.*is started/, ""))).to.deep.equal([
      " again now",
      " again in 1 s",
      " again in 2 s",
    ]);
    expect(log[1]).to.include("warn Worker 1 (process 3) has ended (exit code 1)");
  });

  it("are replaced one by one, and once more where that is asked meanwhile", async () => {
    await startTwo();
    const replaced = workers.replace();
    void workers.replace();
    for (const round of [2, 4])
      for (const index of [round, round + 1]) {
        await settle();
        expect(puppets, "one at a time").to.have.length(index + 1);
        expect(puppets[index - 2]?.isAskedToStop, "the old one serves until the new one does").to.equal(false);
        puppets[index]?.serve();
        await settle();
        expect(puppets[index - 2]?.isAskedToStop).to.equal(true);
        expect(workers.report().status, "two are ready beside it").to.equal("ready");
        puppets[index - 2]?.end("exit code 0", 0);
      }
    await replaced;
    expect(log.filter((line) => /info 2 workers were replaced/.test(line))).to.have.length(2);
    expect(log).to.have.length(2);
  });

  it("leave a worker that died to the new one that replaces it", async () => {
    await startTwo();
    puppets[0]?.end();
    await settle();
    puppets[2]?.end();
    await settle();
    const replaced = workers.replace();
    await settle();
    puppets[3]?.serve();
    await settle();
    puppets[4]?.serve();
    await settle();
    puppets[1]?.end("exit code 0", 0);
    await replaced;
    await sleep(1_100);
    expect(puppets, "no third one after the pause").to.have.length(5);
  });

  it("say that they stop, and end with 1 where one that served failed to", async () => {
    await startTwo();
    const stopped = workers.stop();
    await settle();
    expect(workers.report().status).to.equal("draining");
    expect(puppets[0]?.asked.at(-1)).to.equal("together draining");
    puppets[0]?.end("exit code 1", 1);
    puppets[1]?.end("exit code 0", 0);
    expect(await stopped).to.equal(1);
  });

  it("name one that was killed, and why", async () => {
    await startTwo();
    Object.assign(puppets[0] as Puppet, { fault: "said nothing for 30 s" });
    await sleep(1_100);
    expect(log).to.include("error Worker 1 (process 1) said nothing for 30 s, and was killed");
  });

  it("are replaced although one of them does not stop, and again after that", async () => {
    await startTwo();
    for (const round of [0, 2]) {
      const replaced = workers.replace();
      await settle();
      puppets[round + 2]?.serve();
      await settle();
      expect(puppets[round]?.isAskedToStop).to.equal(true);
      Object.assign(puppets[round] as Puppet, { fault: "had not stopped after 30 s" });
      await sleep(1_100);
      puppets[round + 3]?.serve();
      await settle();
      puppets[round + 1]?.end("exit code 0", 0);
      await replaced;
    }
    expect(log.filter((line) => line.includes("2 workers were replaced"))).to.have.length(2);
    expect(log).to.include("error Worker 1 (process 1) had not stopped after 30 s, and was killed");
  });

  it("go on, and are replaced later, where the start of a new one has no end", async () => {
    await startTwo();
    const replaced = workers.replace();
    await settle();
    Object.assign(puppets[2] as Puppet, { fault: "had not started after 600 s" });
    await sleep(1_100);
    await replaced;
    expect(log.at(-1)).to.equal("error A new worker could not start (SIGKILL); the old ones go on");
    expect(workers.report().status).to.equal("ready");
  });

  it("are of the newest version once they are replaced, and start again in the version that they had", async () => {
    await startTwo();
    newest = "2";
    puppets[0]?.end();
    await settle();
    puppets[2]?.serve();
    expect(puppets[2]?.release.folder, "nobody asked for another version").to.equal("1");
    const replaced = workers.replace();
    await settle();
    for (const [next, old] of [
      [3, 2],
      [4, 1],
    ] as const) {
      puppets[next]?.serve();
      await settle();
      expect(puppets[next]?.release.folder).to.equal("2");
      puppets[old]?.end("exit code 0", 0);
      await settle();
    }
    await replaced;
    expect(log.at(-1)).to.match(/^info 2 workers were replaced in .* s, by 2$/);
    newest = undefined;
    await workers.replace();
    expect(log.at(-1)).to.equal("error No new worker was started (there is no version); the old ones go on");
    expect(puppets).to.have.length(5);
  });
});

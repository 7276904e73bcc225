import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { withResolvers } from "#core/base/with-resolvers.js";
import { Worker, type WorkerOptions } from "#core/cli/workers/worker.js";
import { emptyFolder } from "../plinth-command.js";

/** What a process does beside what each does: it has a limit of 1 + 2 s for its stop, and takes no notice of SIGTERM. */
const BEHAVIOURS = {
  /** Says each 10 ms that it is well, stops never. */
  lives: "setInterval(() => ask('tell', { status: 'ready', checks: {} }), 10); ask('started', 'here');",
  /** Says once that it is well; then its event loop stands still. */
  freezes:
    "ask('tell', { status: 'ready', checks: {} }); ask('started', 'here'); process.on('message', () => { while (true); });",
  /** Never comes to the end of its start. */
  hangs: "",
};
const SCRIPT = (behaviour: string): string => `
let id = 0;
const ask = (asks, value) => process.send({ asks, id: ++id, value });
process.on("SIGTERM", () => undefined);
process.on("message", () => undefined);
ask("open", { host: "127.0.0.1", port: 0, drainDelay: 1000, closeTimeout: 2000 });
${behaviour}
`;

describe("a worker as its parent sees it", () => {
  const folder = emptyFolder();
  let worker: Worker | undefined;
  const start = async (behaviour: keyof typeof BEHAVIOURS): Promise<Worker> => {
    const file = join(folder, `${behaviour}.cjs`);
    writeFileSync(file, SCRIPT(BEHAVIOURS[behaviour]));
    const opened = withResolvers<void>();
    const answers = { open: opened.resolve, askAll: async () => undefined } as unknown as WorkerOptions["answers"];
    // Of these tests: node looks for what `--import` names in the folder that it is started in.
    const release = { folder: process.cwd(), file };
    const options = { number: 1, release, form: "build", withStack: false, answers, told: () => undefined } as const;
    worker = new Worker(options);
    await Promise.race([opened.promise, worker.ended.then(({ how }) => expect.fail(how))]);
    return worker;
  };
  /** Lets seconds pass. @returns after how many it was killed, and why */
  const pass = (seconds: number): readonly (number | string)[] => {
    for (let i = 1; i <= seconds; i += 1) {
      const reason = worker?.tick();
      if (reason !== undefined) return [i, reason];
    }
    return [];
  };
  afterEach("end", async () => {
    worker?.kill();
    await worker?.ended;
  });

  it("is killed when it says nothing for 30 s", async () => {
    const { started, ended } = await start("freezes");
    expect(await started).to.equal("here");
    expect(pass(29)).to.deep.equal([]);
    expect(worker?.report.status).to.equal("down");
    expect(pass(1)).to.deep.equal([1, "said nothing for 30 s"]);
    expect((await ended).how).to.equal("SIGKILL");
    expect(pass(100), "once").to.deep.equal([]);
  });

  it("is killed although it was asked to stop, where it stands still and cannot read that", async () => {
    const { started, ended } = await start("freezes");
    await started;
    expect(pass(28)).to.deep.equal([]);
    worker?.stop();
    expect(pass(2)).to.deep.equal([2, "said nothing for 30 s"]);
    expect((await ended).how).to.equal("SIGKILL");
  });

  it("is killed when it goes on after drainDelay, closeTimeout and five seconds", async () => {
    const { started, ended } = await start("lives");
    await started;
    worker?.stop();
    expect(pass(20)).to.deep.equal([8, "had not stopped after 8 s"]);
    expect((await ended).how).to.equal("SIGKILL");
  });

  it("is killed when it has not started after ten minutes", async () => {
    const { started, ended } = await start("hangs");
    expect(pass(700)).to.deep.equal([600, "had not started after 600 s"]);
    expect((await ended).how).to.equal("SIGKILL");
    expect(await started).to.equal(undefined);
  });

  it("is killed when its start does not end although it was asked to stop", async () => {
    const { ended } = await start("hangs");
    worker?.stop();
    expect(pass(20)).to.deep.equal([8, "had not stopped after 8 s"]);
    expect((await ended).how).to.equal("SIGKILL");
  });
});

import { expect } from "chai";
import { Collector } from "#core/cli/workers/collect.js";
import type { Worker } from "#core/cli/workers/worker.js";

const PATH = "/count";

interface Parts {
  readonly living: readonly string[];
  readonly ended?: string;
}

/** A worker without a process, which has counted so many and says so when it is let. */
class Counting {
  /** What it waits for before it says its part. */
  turn: Promise<unknown> = Promise.resolve();
  /** What it stands still at. */
  stuckAt: string | undefined;
  reads = 0;

  constructor(public count: number) {}

  readonly channel = {
    call: async (name: string, value: unknown): Promise<unknown> => {
      if (name === this.stuckAt) return never;
      if (name === "read") {
        this.reads += 1;
        await this.turn;
        return value === PATH ? String(this.count) : undefined;
      }
      if (name === "keep") return String(sum((value as { readonly texts: readonly string[] }).texts));
      const { living, ended = "0" } = value as Parts;
      return { type: "text/plain", body: String(sum([...living, ended])) };
    },
  };
}

const never = new Promise(() => undefined);
const sum = (texts: readonly string[]): number => texts.reduce((all, text) => all + Number(text), 0);

describe("what several workers say together", () => {
  let workers: Counting[];
  let collector: Collector;
  const make = (...counts: number[]) => {
    workers = counts.map((count) => new Counting(count));
    collector = new Collector(() => workers as unknown as Worker[]);
    return workers as unknown as Worker[];
  };
  const ask = async (path = PATH) => (await collector.ask(path))?.body;
  const end = (worker: Worker | undefined, texts?: Readonly<Record<string, string>>) => {
    if (worker) collector.end(worker, texts);
    workers = workers.filter((each) => each !== (worker as unknown));
  };

  it("has what each said last before it ended, and is nothing for a path that none knows", async () => {
    const [first] = make(1, 2);
    expect(await ask()).to.equal("3");
    end(first);
    end(first);
    expect([await ask(), await ask()]).to.deep.equal(["3", "3"]);
    expect(await ask("/other")).to.equal(undefined);
  });

  it("counts one once that ends while another is asked", async () => {
    const [first] = make(1, 2);
    expect(await ask()).to.equal("3");
    let go = (): void => undefined;
    workers[1]!.turn = new Promise<void>((done) => {
      go = done;
    });
    const asked = ask();
    while (workers[0]!.reads < 2) await new Promise(setImmediate);
    end(first);
    go();
    expect([await asked, await ask()]).to.deep.equal(["3", "3"]);
  });

  it("has the last words of one that leaves, which is not asked again while it ends", async () => {
    const [first] = make(1, 2);
    expect(await ask()).to.equal("3");
    collector.end(first!, { [PATH]: "10" });
    workers[0]!.count = 0;
    expect(await ask(), "it has not ended yet").to.equal("12");
    expect(workers[0]!.reads).to.equal(1);
    end(first);
    expect(await ask()).to.equal("12");
  });

  it("has what one said last that does not answer, and says so where nobody does", async () => {
    make(1, 2);
    expect(await ask()).to.equal("3");
    workers[0]!.turn = never;
    expect(await ask()).to.equal("3");
    workers[1]!.turn = never;
    const failure = await collector.ask(PATH).catch((error: unknown) => error);
    expect(failure).to.include({ code: "PLINTH_CLI_WORKER_SILENT" });
  });

  for (const question of ["combine", "keep"])
    it(`waits for nobody who stands still at "${question}", and has the next one do it`, async () => {
      const [, , third] = make(1, 2, 4);
      expect(await ask()).to.equal("7");
      end(third);
      workers[0]!.stuckAt = question;
      const failure = await collector.ask(PATH).catch((error: unknown) => error);
      expect(failure).to.include({ code: "PLINTH_CLI_WORKER_SILENT" });
      workers[0]!.turn = never;
      expect(await ask(), "one that says nothing is not asked to combine").to.equal("7");
    });
});

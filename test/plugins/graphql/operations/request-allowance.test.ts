import type { Documents } from "@plinth/core";
import type { PreparedRead } from "@plinth/core/reads";
import { expect } from "chai";
import { RequestAllowance } from "#plugins/graphql/src/operations/request-allowance.js";

const LIMITS = { answerBytes: 1000, points: 40, answerPoints: 40, expensive: 100, expensiveTime: 1000 };

/** Stands for documents: keeps what it is asked to read, and how many reads run at a time. */
class Recorder {
  readonly points: number[] = [];
  most = 0;
  #running = 0;

  async pointsOf({ limits }: PreparedRead) {
    return limits?.points ?? 0;
  }

  async read({ limits }: PreparedRead) {
    this.points.push(limits?.points ?? 0);
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    await new Promise((done) => setTimeout(done, 5));
    this.#running -= 1;
    return { text: "x".repeat(10) };
  }
}

async function readAll(count: number, limits: PreparedRead["limits"]): Promise<Recorder> {
  const recorder = new Recorder();
  const documents = recorder as unknown as Pick<Documents, "read" | "pointsOf">;
  const allowance = new RequestAllowance();
  const read = () => allowance.read(documents, { ...(limits ? { limits } : {}) } as PreparedRead);
  await Promise.all(Array.from({ length: count }, read));
  return recorder;
}

describe("the fields of one GraphQL request", () => {
  it("are read at the same time while they are cheap together", async () => {
    expect(await readAll(2, LIMITS))
      .to.include({ most: 2 })
      .and.deep.include({ points: [40, 40] });
  });

  it("are read as expensive ones, one after the other, from where they are expensive together", async () => {
    const { points, most } = await readAll(5, LIMITS);
    expect([...points].sort((a, b) => a - b)).to.deep.equal([40, 40, 120, 160, 200]);
    expect(most).to.be.at.most(3);
  });

  it("may have as many bytes together as one answer", async () => {
    const failure = await readAll(3, { ...LIMITS, answerBytes: 25 }).catch((error: unknown) => error);
    expect(failure).to.include({ code: "PLINTH_READ_TOO_LARGE", status: 413 });
  });

  it("have no limit where code reads", async () => {
    expect((await readAll(5, undefined)).most).to.equal(5);
  });
});

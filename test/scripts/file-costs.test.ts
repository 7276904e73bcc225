import { expect } from "chai";
import { secondsOf, waits } from "../../scripts/file-costs.mjs";
import { dealFiles, describeCosts } from "../../scripts/mocha-process.mjs";

describe("the files of a run of all tests", () => {
  const seconds: Readonly<Record<string, number>> = { a: 9, b: 5, c: 4, d: 3, e: 2, f: 1 };
  const dealt = (parts: number) => dealFiles(Object.keys(seconds), parts, (file: string) => seconds[file] as number);

  it("are dealt to parts that take about as long, the longest file first", () => {
    expect(dealt(2)).to.deep.equal([
      ["a", "d"],
      ["b", "c", "e", "f"],
    ]);
    expect(dealt(3).flat().sort()).to.deep.equal(Object.keys(seconds));
  });

  it("make no empty parts", () => {
    expect(dealt(9)).to.have.length(6);
  });

  it("are recorded with what they took, and some of them mostly wait", () => {
    const waiting = "test/plugins/graphql/server/unavailable.test.ts";
    const busy = "test/access/leaks.test.ts";
    expect([waits(waiting), waits(busy)]).to.deep.equal([true, false]);
    expect(secondsOf(busy)).to.be.greaterThan(secondsOf("test/no-such.test.ts"));
  });

  it("are summed up with the slowest ones, so that growth is seen", () => {
    const files = {
      "x.test.ts": { passed: 1, seconds: 2, cpu: 1.5, processes: 3, threads: 0 },
      "y.test.ts": { passed: 1, seconds: 8.25, cpu: 0.5, processes: 0, threads: 2 },
    };
    expect(describeCosts(files).split("\n")).to.deep.equal([
      "The slowest of 2 files, in seconds and seconds of processor:",
      "     8.3      0.5  y.test.ts",
      "     2.0      1.5  x.test.ts",
      "    10.3      2.0  all: 8 s waited, 3 processes and 2 threads started",
    ]);
  });
});

import { expect } from "chai";
import { repeatFailed } from "../../scripts/repeat-failed.mjs";

const failure = (file: string | undefined, title = "a list is soon there") => ({ title, file, why: "it took 3 s" });
/** What a run left in which these tests failed, and two of each file passed. */
const resultOf = (failures: ReturnType<typeof failure>[]) => ({
  passed: 10,
  failed: failures.length,
  failures,
  files: Object.fromEntries(failures.map(({ file }) => [String(file), { passed: 2, seconds: 1 }])),
  code: failures.length,
});

describe("what a full run does about tests that failed", () => {
  const ran: string[][] = [];
  const again = (result: object) => async (files: string[]) => {
    ran.push(files);
    return result;
  };
  const printed: string[] = [];
  const { log } = console;
  beforeEach(() => {
    ran.length = 0;
    printed.length = 0;
    console.log = (line: string) => printed.push(line);
  });
  afterEach(() => {
    console.log = log;
  });

  it("runs their files once more, and counts what passes then as passed, after it has printed the failures", async () => {
    const result = resultOf([failure("a.test.ts"), failure("a.test.ts", "another one"), failure("b.test.ts")]);
    const passes = { passed: 7, failed: 0, failures: [], files: {}, code: 0 };
    expect(await repeatFailed(result, again(passes))).to.deep.equal({
      ...{ passed: 10 - 4 + 7, failed: 0, failures: [], code: 0 },
      files: result.files,
    });
    expect(ran).to.deep.equal([["a.test.ts", "b.test.ts"]]);
    expect(printed[0]).to.equal("failed beside others: a list is soon there\n  it took 3 s");
  });

  it("fails when a test fails both times", async () => {
    const fails = { passed: 6, failed: 1, failures: [failure("a.test.ts")], files: {}, code: 1 };
    const { failed, failures, code } = await repeatFailed(resultOf([failure("a.test.ts")]), again(fails));
    expect({ failed, failures, code }).to.deep.equal({ failed: 1, failures: [failure("a.test.ts")], code: 1 });
  });

  it("repeats nothing when all passed, when four files failed, when a hook of all files failed, or a process was lost", async () => {
    const four = ["a", "b", "c", "d"].map((name) => failure(`${name}.test.ts`));
    const lost = { ...resultOf([failure("a.test.ts")]), failed: 2 };
    for (const result of [resultOf([]), resultOf(four), resultOf([failure(undefined)]), lost])
      expect(await repeatFailed(result, again({}))).to.equal(result);
    expect(ran).to.deep.equal([]);
  });
});

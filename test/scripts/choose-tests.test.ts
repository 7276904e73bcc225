import { expect } from "chai";
import { readArguments } from "../../scripts/changed-tests.mjs";
import { cutTo, functionsOn, takeTurns, testsOfChanges } from "../../scripts/choose-tests.mjs";
import { Coverage } from "../../scripts/coverage-record.mjs";

/** An outer function on the lines 10 to 30, one in it on 15 to 20, one on line 18 of that, and one that no test ran. */
const ADMISSION = "core/src/http/admission.ts";
const START = "core/src/app/start.ts";
const coverage = new Coverage({
  recordedAt: "2026-11-28T12:00:00.000Z",
  versions: { [ADMISSION]: "a1", [START]: "b2" },
  functions: { [ADMISSION]: ["10-30", "15-20", "18-18", "40-50"], [START]: ["1-9", "11-19", "21-29"] },
  tests: {
    "test/app.test.ts": { [ADMISSION]: [0, 1], [START]: [0, 1, 2] },
    "test/other.test.ts": { [ADMISSION]: [0], [START]: [0, 1] },
    "test/admission.test.ts": { [ADMISSION]: [0, 1, 2], [START]: [0] },
  },
});
const linesOn = (functions: readonly { first: number; last: number }[]) =>
  functions.map(({ first, last }) => `${first}-${last}`);
const on = (first: number, last: number) =>
  linesOn(functionsOn(coverage.functionsOf(ADMISSION), { from: first - 0.5, to: last + 0.5 }));
const after = (line: number) =>
  linesOn(functionsOn(coverage.functionsOf(ADMISSION), { from: line + 0.5, to: line + 0.5 }));

describe("the functions of changed lines", () => {
  it("are the innermost, and all of a line that has several", () => {
    expect(on(12, 12)).to.deep.equal(["10-30"]);
    expect(on(16, 16)).to.deep.equal(["15-20"]);
    expect(on(18, 18)).to.deep.equal(["18-18", "15-20"]);
    expect(on(20, 22)).to.deep.equal(["15-20", "10-30"]);
  });

  it("are those that both lines are in where lines were added or deleted between two", () => {
    expect(after(16)).to.deep.equal(["15-20"]);
    expect(after(14)).to.deep.equal(["10-30"]);
    expect(after(30)).to.deep.equal([]);
  });

  it("are none outside of functions, and in one that no test ran", () => {
    expect(on(5, 5)).to.deep.equal([]);
    expect(on(44, 44)).to.deep.equal([]);
  });
});

describe("the tests of changes", () => {
  const graph = {
    files: new Set(["test/app.test.ts", "test/admission.test.ts", "test/new.test.ts", "core/guides/limits.md"]),
    namedBy: new Map([
      ["core/src/http/new.ts", new Set(["test/new.test.ts", "core/src/http/index.ts"])],
      ["core/src/http/index.ts", new Set(["test/admission.test.ts", "core/src/index.ts"])],
      ["core/src/index.ts", new Set(["test/app.test.ts"])],
    ]),
  };
  /** @param lines changed ones; undefined: all */
  const testsOf = (file: string, lines?: readonly { from: number; to: number }[], known: object = { coverage }) => {
    const { changed, guides, places } = testsOfChanges([file], {
      linesOf: () => lines,
      graph,
      coverage: undefined,
      ...known,
    });
    return { changed, guides, places: Object.fromEntries(places.map(({ place, tests }) => [place, tests])) };
  };

  it("are those that ran the changed functions, first one that does little else, without those that are gone", () => {
    expect(testsOf(ADMISSION, [{ from: 15.5, to: 16.5 }]).places).to.deep.equal({
      [`${ADMISSION}:15-20`]: ["test/admission.test.ts", "test/app.test.ts"],
    });
    expect(testsOf(START, [{ from: 21.5, to: 22.5 }]).places).to.deep.equal({
      [`${START}:21-29`]: ["test/app.test.ts"],
    });
  });

  it("are those that ran any function of the file where other code has changed, or all of it", () => {
    const all = { [ADMISSION]: ["test/admission.test.ts", "test/app.test.ts"] };
    expect(testsOf(ADMISSION, [{ from: 1.5, to: 2.5 }]).places).to.deep.equal(all);
    expect(testsOf(ADMISSION).places).to.deep.equal(all);
    expect(testsOf(ADMISSION, []).places).to.deep.equal({});
  });

  it("are the nearest that import the file where none ran it, or nothing is recorded", () => {
    const importing = { "core/src/http/new.ts": ["test/new.test.ts", "test/admission.test.ts"] };
    expect(testsOf("core/src/http/new.ts").places).to.deep.equal(importing);
    expect(testsOf("core/src/http/new.ts", undefined, {}).places).to.deep.equal(importing);
  });

  it("are a test itself, and of a guide its own suite", () => {
    expect(testsOf("test/new.test.ts")).to.deep.equal({ changed: ["test/new.test.ts"], guides: [], places: {} });
    expect(testsOf("test/deleted.test.ts")).to.deep.equal({ changed: [], guides: [], places: {} });
    expect(testsOf("core/guides/limits.md").guides).to.deep.equal(["core/guides/limits.md"]);
  });

  it("come first of each change in turn, and are cut at some seconds, but for tests that have changed", () => {
    expect(takeTurns([["a", "b"], ["a", "c", "d"], [], ["e"]])).to.deep.equal(["a", "e", "b", "c", "d"]);
    const secondsOf = (test: string) => ({ a: 50, b: 30, c: 20, d: 5 })[test] ?? 1;
    expect(cutTo(60, ["a", "b", "d", "c"], secondsOf, 0)).to.deep.equal(["a", "d"]);
    expect(cutTo(60, ["a", "b", "d", "c"], secondsOf, 2)).to.deep.equal(["a", "b"]);
    expect(cutTo(10, ["a", "b"], secondsOf, 0)).to.deep.equal(["a"]);
  });

  it("are asked for by --changed, since a commit that it may name, and all by --all", () => {
    expect(readArguments(["--changed", "--grep", "x"])).to.deep.equal({
      args: ["--grep", "x"],
      changed: { ref: undefined, isAll: false },
    });
    expect(readArguments(["--changed=HEAD~3", "--all"])).to.deep.equal({
      args: [],
      changed: { ref: "HEAD~3", isAll: true },
    });
    expect(readArguments(["test/core", "--all"])).to.deep.equal({ args: ["test/core", "--all"] });
  });
});

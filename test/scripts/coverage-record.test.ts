import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { mergeCoverage, readRecord, writeRecord } from "../../scripts/coverage-record.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCE = "core/src/sum.ts";
const FILES = {
  "package.json": '{ "type": "module" }',
  [SOURCE]: `/** Adds. */
export function sum(
  numbers: readonly number[],
): number {
  return numbers.reduce(
    (one: number, other: number): number => one + other, 0);
}

export const half = (number: number): number => {
  return number / 2;
};

export function never(): void {}
`,
  "test/both.test.ts":
    'import { half, sum } from "../core/src/sum.js";\ndescribe("both", () => void it("run", () => void half(sum([1, 2]))));',
  "test/one.test.ts":
    'import { sum } from "../core/src/sum.js";\ndescribe("one", () => void it("runs", () => void sum([])));',
};

describe("the record of the functions that tests run", () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), "plinth-coverage-"));
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
  });
  after(() => rmSync(root, { recursive: true }));

  it("has for each file the lines of those that it ran, also where an earlier file of the process ran them", () => {
    const left = join(root, "left.json");
    const options = ["no-experimental-require-module", `import=${import.meta.resolve("tsx")}`];
    const args = [
      join(ROOT, "node_modules", "mocha", "bin", "mocha.js"),
      ...options.flatMap((option) => ["--node-option", option]),
      ...["--reporter", join(ROOT, "test/count-reporter.cjs"), "test/both.test.ts", "test/one.test.ts"],
    ];
    execFileSync(process.execPath, args, { cwd: root, env: { ...process.env, PLINTH_TEST_COVERAGE: left } });
    const { functions, tests } = JSON.parse(readFileSync(left, "utf8"));
    expect(functions[SOURCE]).to.have.members(["2-7", "6-6", "9-11", "13-13"]);
    const ran = (test: string) => tests[test][SOURCE].map((index: number) => functions[SOURCE][index]);
    expect(ran("test/both.test.ts")).to.have.members(["2-7", "6-6", "9-11"]);
    expect(ran("test/one.test.ts")).to.have.members(["2-7"]);
  });

  it("adds up what processes leave, and answers which tests ran a function, the closest first", () => {
    const merged = mergeCoverage([
      { functions: { "a.ts": ["1-2", "4-5"] }, tests: { "app.test.ts": { "a.ts": [0, 1] } } },
      { functions: { "a.ts": ["4-5", "7-8"], "b.ts": ["1-9"] }, tests: { "a.test.ts": { "a.ts": [0] } } },
    ]);
    expect(merged).to.deep.equal({
      functions: { "a.ts": ["1-2", "4-5", "7-8"], "b.ts": ["1-9"] },
      tests: { "app.test.ts": { "a.ts": [0, 1] }, "a.test.ts": { "a.ts": [1] } },
    });
    const file = join(root, "record.json.gz");
    writeRecord(merged, { "a.ts": "a1", "b.ts": "b2", "c.ts": "c3" }, file);
    const coverage = readRecord(file);
    const functions = coverage?.functionsOf("a.ts") ?? [];
    expect(functions.map(({ tests }) => tests)).to.deep.equal([["app.test.ts"], ["app.test.ts", "a.test.ts"], []]);
    expect(coverage?.closest(functions.slice(1))).to.deep.equal([
      { test: "a.test.ts", ran: 1 },
      { test: "app.test.ts", ran: 1 },
    ]);
    expect([coverage?.versionOf("a.ts"), coverage?.versionOf("c.ts")]).to.deep.equal(["a1", undefined]);
  });
});

describe("npm run tests-of", () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), "plinth-tests-of-"));
  });
  after(() => rmSync(root, { recursive: true }));
  const testsOf = (record: string, ...paths: string[]) => {
    const env = { ...process.env, PLINTH_COVERAGE_RECORD: join(root, record) };
    const { stdout, stderr } = spawnSync(process.execPath, ["scripts/tests-of.mjs", ...paths], {
      cwd: ROOT,
      env,
      encoding: "utf8",
    });
    return stdout + stderr;
  };
  const recorded = () => {
    const path = "core/src/base/error.ts";
    const tests = { "test/core/base/error.test.ts": { [path]: [0, 1] } };
    writeRecord({ functions: { [path]: ["3-9", "11-12", "14-20"] }, tests }, {}, join(root, "record"));
  };

  it("lists the tests that ran functions of a source, or of a line", () => {
    recorded();
    const said = testsOf("record", "core/src/base/error.ts", "core/src/base/error.ts:5", "core/src/base/error.ts:30");
    expect(said).to.include("error.ts:30: not in a function that a test ran; those of the whole file:\n");
    expect(said).to.include("core/src/base/error.ts: 1 file of tests ran 2 of 3 functions\n");
    expect(said).to.include("core/src/base/error.ts:5: 1 file of tests ran 1 of 1 functions\n");
    expect(said).to.match(/ \d+\.\d {10}2 {2}test\/core\/base\/error\.test\.ts\n/);
  });

  it("says where no test ran a function, and which name the file", () => {
    recorded();
    const said = testsOf("record", "scripts/file-costs.mjs", "LICENSE");
    expect(said)
      .to.include("scripts/file-costs.mjs: no test ran a function of it in its own process; these name it")
      .and.include("  test/scripts/file-costs.test.ts\n");
    expect(said).to.include("LICENSE: no test ran a function of it in its own process, and none names it");
  });

  it("says what to do when nothing is recorded, when there is no such file, and when none is named", () => {
    expect(testsOf("none", "README.md")).to.include("nothing is recorded yet: `PLINTH_TEST_RECORD=1 npm test` records");
    recorded();
    expect(testsOf("record", "core/src/no-such.ts")).to.include("core/src/no-such.ts: there is no such file");
    expect(testsOf("record")).to.include("npm run tests-of -- core/src/");
  });
});

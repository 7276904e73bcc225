// What a run recorded of the functions that each file of tests runs, for `npm run tests-of` and `npm test -- --changed`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { ROOT } from "./ensure-ready.mjs";

/** What to do without a record. */
export const HOW_TO_RECORD = "`PLINTH_TEST_RECORD=1 npm test` records which functions each file of tests runs";
/** Where a full run is recorded. */
const RECORD = join(ROOT, "test", ".cache", "coverage.json.gz");
const CODE = /\.(?:tsx?|mts|mjs)$/;

/**
 * The versions of all sources before a run, which git keeps, so that later changes are found by comparison.
 *
 * @returns {Record<string, string>} by path the blob of git; none outside of a clone
 */
export function keepVersions() {
  const git = (args, input) => {
    const { stdout } = spawnSync("git", args, { cwd: ROOT, input, encoding: "utf8", maxBuffer: 1 << 26 });
    return (stdout ?? "").split("\n").filter((line) => line !== "");
  };
  const listed = git(["ls-files", "--cached", "--others", "--exclude-standard"]);
  const paths = listed.filter((path) => CODE.test(path) && existsSync(join(ROOT, path)));
  const blobs = git(["hash-object", "-w", "--stdin-paths"], paths.join("\n"));
  return Object.fromEntries(blobs.map((blob, index) => [paths[index], blob]));
}

/**
 * Adds up what test/record-coverage.cjs left in each process.
 *
 * @param lefts of each `{ functions: { "core/src/x.ts": ["12-30"] }, tests: { "test/x.test.ts": { "core/src/x.ts": [0] } } }`:
 *   the lines of functions, and the indexes of those that a file of tests ran
 * @returns the same of all
 */
export function mergeCoverage(lefts) {
  const functions = new Map();
  const tests = {};
  for (const left of lefts) {
    const indexes = Object.fromEntries(
      Object.entries(left.functions).map(([path, own]) => [path, addTo(functions, path, own)]),
    );
    for (const [test, ran] of Object.entries(left.tests))
      tests[test] = mapValues(ran, (own, path) => own.map((index) => indexes[path][index]));
  }
  return { functions: mapValues(Object.fromEntries(functions), (lines) => [...lines.keys()]), tests };
}

/** @returns the index among all functions of a source of each that is added */
function addTo(functions, path, added) {
  if (!functions.has(path)) functions.set(path, new Map());
  const all = functions.get(path);
  for (const lines of added) if (!all.has(lines)) all.set(lines, all.size);
  return added.map((lines) => all.get(lines));
}

const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));

/** Records a run. @param versions what `keepVersions` returned before it */
export function writeRecord(coverage, versions, file = RECORD) {
  const recorded = Object.keys(coverage.functions).map((path) => [path, versions[path]]);
  const record = { recordedAt: new Date().toISOString(), versions: Object.fromEntries(recorded), ...coverage };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, gzipSync(JSON.stringify(record)));
}

/** What was recorded last; undefined: nothing. */
export function readRecord(file = process.env.PLINTH_COVERAGE_RECORD ?? RECORD) {
  return existsSync(file) ? new Coverage(JSON.parse(gunzipSync(readFileSync(file)).toString())) : undefined;
}

/** Answers which files of tests ran a function, and how close each is to it. */
export class Coverage {
  #record;
  /** By source and index of a function, the tests that ran it. */
  #tests = new Map();
  /** Of each test the weights of all functions that it ran, together. */
  #weights = new Map();

  /** @param record what `writeRecord` writes */
  constructor(record) {
    this.#record = record;
    for (const [test, ran] of Object.entries(record.tests))
      for (const [path, indexes] of Object.entries(ran))
        for (const index of indexes) this.#testsOf(path, index).push(test);
    for (const [test, ran] of Object.entries(record.tests)) this.#weights.set(test, this.#weightOf(ran));
  }

  get recordedAt() {
    return this.#record.recordedAt;
  }

  /** The blob of git that a source was when it was recorded. */
  versionOf(path) {
    return this.#record.versions[path];
  }

  /**
   * The functions of a source; none of one that no test loaded.
   *
   * @returns {{ first: number, last: number, tests: string[] }[]} their lines, and the tests that ran them
   */
  functionsOf(path) {
    return (this.#record.functions[path] ?? []).map((lines, index) => {
      const [first, last] = lines.split("-").map(Number);
      return { first, last, tests: this.#testsOf(path, index) };
    });
  }

  /**
   * The tests that ran some of the functions, the closest first: those of which the functions are the largest part of what few tests
   * do. For 45 of 51 sources the first one is the test of the same name; by how many functions each ran it is for 28.
   *
   * @param functions of `functionsOf`
   * @returns {{ test: string, ran: number }[]} with how many of the functions each ran
   */
  closest(functions) {
    const found = new Map();
    for (const { tests } of functions)
      for (const test of tests) {
        const { ran, weight } = found.get(test) ?? { ran: 0, weight: 0 };
        found.set(test, { ran: ran + 1, weight: weight + 1 / tests.length });
      }
    const closeness = ([test, { weight }]) => weight / this.#weights.get(test);
    return [...found]
      .toSorted((one, other) => closeness(other) - closeness(one))
      .map(([test, { ran }]) => ({ test, ran }));
  }

  #testsOf(path, index) {
    const key = `${path} ${index}`;
    if (!this.#tests.has(key)) this.#tests.set(key, []);
    return this.#tests.get(key);
  }

  /** A function that every test runs tells little of what a test is about. */
  #weightOf(ran) {
    let weight = 0;
    for (const [path, indexes] of Object.entries(ran))
      for (const index of indexes) weight += 1 / this.#testsOf(path, index).length;
    return weight;
  }
}

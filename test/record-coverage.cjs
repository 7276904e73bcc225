// Records which functions of this repository each file of tests runs, for scripts/coverage-record.mjs; part of the reporter
// of a run that records.
const { readFileSync, writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");
const { findSourceMap } = require("node:module");
const { relative } = require("node:path");
const { fileURLToPath, pathToFileURL } = require("node:url");
const { Runner } = require("mocha");

const HERE = pathToFileURL(`${process.cwd()}/`).href;
/** What is installed or built, the files of tests themselves, and what runs them. */
const NOT_RECORDED = /\/(?:node_modules|dist|vendor)\/|\.test\.ts$|\.cjs$|\/test\/house\/raised-codes\.ts$/;

/** Leaves the record of a run in a file. @param runner mocha's, before it begins */
module.exports = function recordCoverage(runner, file) {
  const session = new Session();
  const sources = new Map();
  const tests = {};
  const ranSince = (take) => {
    let ran;
    session.post(`Profiler.${take}`, (_error, { result }) => {
      ran = addTo(sources, result);
    });
    return ran;
  };
  runner.once(Runner.constants.EVENT_RUN_BEGIN, () => {
    session.connect();
    session.post("Profiler.enable");
    // All functions that are loaded by now, those that never run among them.
    ranSince("getBestEffortCoverage");
    // With counts, V8 reports a function each time that it has run since the last take; without, only the first time.
    session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  });
  runner.on(Runner.constants.EVENT_SUITE_END, (suite) => {
    if (!suite.parent?.root) return;
    const test = relative(process.cwd(), suite.file).replaceAll("\\", "/");
    tests[test] = together(tests[test] ?? {}, ranSince("takePreciseCoverage"));
  });
  runner.once(Runner.constants.EVENT_RUN_END, () => {
    const functions = Object.fromEntries([...sources].map(([path, { ranges }]) => [path, [...ranges.keys()]]));
    writeFileSync(file, JSON.stringify({ functions, tests }));
  });
};

function together(before, ran) {
  const all = [...ran].map(([path, indexes]) => [path, [...new Set([...(before[path] ?? []), ...indexes])]]);
  return { ...before, ...Object.fromEntries(all) };
}

/** @returns by the path of each source the indexes in its `ranges` of the functions that V8 reports to have run */
function addTo(sources, scripts) {
  const ran = new Map();
  for (const { url, functions } of scripts) {
    const file = url.replace(/\?.*/, "");
    if (!file.startsWith(HERE) || NOT_RECORDED.test(file)) continue;
    const path = relative(process.cwd(), fileURLToPath(file)).replaceAll("\\", "/");
    if (!sources.has(path)) sources.set(path, new Source(path));
    const indexes = sources.get(path).indexesOf(functions);
    if (indexes.length > 0) ran.set(path, [...(ran.get(path) ?? []), ...indexes]);
  }
  return ran;
}

/** The functions of a source, as the lines that they are on. */
class Source {
  /** By what `12-30` says, the index. */
  ranges = new Map();
  #path;
  /** By where V8 says that it is, what `ranges` has of it. */
  #known = new Map();
  #lines;

  constructor(path) {
    this.#path = path;
  }

  /** @returns the indexes of those that have run */
  indexesOf(functions) {
    const indexes = functions.map(({ functionName, ranges: [{ startOffset, endOffset, count }] }) => {
      // The module itself, and what esbuild adds, such as `__name`.
      const isOfSource = startOffset > 0 && !functionName.startsWith("__");
      return isOfSource ? [this.#indexOf(startOffset, endOffset), count] : [-1, 0];
    });
    return indexes.filter(([index, count]) => index >= 0 && count > 0).map(([index]) => index);
  }

  #indexOf(start, end) {
    const at = `${start}-${end}`;
    if (!this.#known.has(at)) this.#known.set(at, this.#add(start, end));
    return this.#known.get(at);
  }

  #add(start, end) {
    this.#lines ??= linesOf(this.#path);
    const [first, last] = [this.#lines(start), this.#lines(end - 1)];
    if (!first || !last) return -1;
    const range = `${first}-${Math.max(first, last)}`;
    if (!this.ranges.has(range)) this.ranges.set(range, this.ranges.size);
    return this.ranges.get(range);
  }
}

/** @returns the line of a source, from 1, that an offset in what V8 has of it is on */
function linesOf(path) {
  const map = findSourceMap(path);
  const lengths =
    map?.lineLengths ??
    readFileSync(path, "utf8")
      .split("\n")
      .map((line) => line.length);
  const starts = [0];
  for (const length of lengths) starts.push(starts.at(-1) + length + 1);
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    if (!map) return line + 1;
    const { originalLine } = map.findEntry(line, offset - starts[line]);
    return originalLine === undefined ? undefined : originalLine + 1;
  };
}

// Lists the tests that ran functions of a source, the closest first: `npm run tests-of -- core/src/http/admission.ts[:line] ...`
import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { Clone } from "./changed-lines.mjs";
import { functionsOn } from "./choose-tests.mjs";
import { HOW_TO_RECORD, readRecord } from "./coverage-record.mjs";
import { ROOT } from "./ensure-ready.mjs";
import { secondsOf } from "./file-costs.mjs";
import { readGraph, testsReaching } from "./import-graph.mjs";

/** How many tests of a source are listed. */
const MOST = 25;
/** How many of those that only name it, or a file that does. */
const MOST_NAMING = 10;

/** @param {string} asked - a path, and perhaps a line: `core/src/http/admission.ts:42` */
function describeTestsOf(asked, coverage) {
  const [, given, line] = /^(.*?)(?::(\d+))?$/.exec(asked);
  const path = relative(ROOT, resolve(given)).split(sep).join("/");
  if (!existsSync(join(ROOT, path))) throw new Error(`${given}: there is no such file`);
  const all = coverage.functionsOf(path);
  const onLine = line ? functionsOn(all, new Clone(ROOT).lineIn(coverage.versionOf(path), path, line)) : [];
  const functions = onLine.length > 0 ? onLine : all;
  const closest = coverage.closest(functions);
  if (closest.length === 0) return describeUncovered(asked, path);
  const ran = functions.filter(({ tests }) => tests.length > 0).length;
  return [
    ...(line && onLine.length === 0 ? [`${asked}: not in a function that a test ran; those of the whole file:`] : []),
    `${onLine.length > 0 ? asked : path}: ${closest.length} file${closest.length === 1 ? "" : "s"} of tests ran ${ran} of ${functions.length} functions`,
    " seconds  functions",
    ...closest.slice(0, MOST).map(({ test, ran: own }) => row(secondsOf(test).toFixed(1), own, test)),
    ...(closest.length > MOST ? [`and ${closest.length - MOST} more`] : []),
  ].join("\n");
}

const row = (seconds, ran, test) => `${seconds.padStart(8)}  ${String(ran).padStart(9)}  ${test}`;

let graph;

function describeUncovered(asked, path) {
  graph ??= readGraph(ROOT);
  const tests = [...testsReaching(graph, path)].slice(0, MOST_NAMING);
  const none = `${asked}: no test ran a function of it in its own process`;
  if (tests.length === 0) return `${none}, and none names it`;
  return [`${none}; these name it, or a file that does:`, ...tests.map(([test]) => `  ${test}`)].join("\n");
}

function main(paths) {
  if (paths.length === 0) throw new Error("name a source: npm run tests-of -- core/src/http/admission.ts");
  const coverage = readRecord();
  if (!coverage) throw new Error(`nothing is recorded yet: ${HOW_TO_RECORD}`);
  console.log(`recorded ${coverage.recordedAt}`);
  for (const path of paths) console.log(describeTestsOf(path, coverage));
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(`[plinth] ${error.message}`);
  process.exitCode = 1;
}

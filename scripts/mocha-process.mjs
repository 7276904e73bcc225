// One of the processes of mocha that a run of tests is dealt to; used by scripts/test.mjs and scripts/test-browser.mjs.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { ROOT } from "./ensure-ready.mjs";

/** How many files are named by their time. */
const SLOWEST = 10;

/**
 * Deals files to parts of about one size: the longest file first, each to the part that has least.
 *
 * @param secondsOf the seconds that a file takes
 * @returns the files of each part, the part with the most seconds first
 */
export function dealFiles(files, parts, secondsOf) {
  const dealt = Array.from({ length: parts }, () => ({ seconds: 0, files: [] }));
  for (const file of files.toSorted((one, other) => secondsOf(other) - secondsOf(one))) {
    const least = dealt.reduce((smallest, part) => (part.seconds < smallest.seconds ? part : smallest));
    least.files.push(file);
    least.seconds += secondsOf(file);
  }
  return dealt
    .toSorted((one, other) => other.seconds - one.seconds)
    .map((part) => part.files)
    .filter((own) => own.length > 0);
}

/** @returns {{ ended: Promise<{ code: number, output: string }>, end: () => void }} `code`: the exit code; `output` of one that is not shown. */
export function startMocha(args, { env, isShown }) {
  const mocha = join("node_modules", "mocha", "bin", "mocha.js");
  const child = spawn(process.execPath, [mocha, ...args], {
    cwd: ROOT,
    stdio: isShown ? "inherit" : ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => chunks.push(chunk));
  const ended = new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code, signal) =>
      done({ code: code ?? 128 + constants.signals[signal], output: Buffer.concat(chunks).toString() }),
    );
  });
  // mocha's own launcher hands on only this signal to the process that runs the tests.
  return { ended, end: () => child.kill("SIGINT") };
}

/** What the reporter of a process left; a process that left nothing counts as a failure. */
export function readCounts(file) {
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  console.error("[plinth] the tests ended before they could be counted");
  return { passed: 0, failed: 1, failures: [], files: {} };
}

/**
 * What several processes left, together.
 *
 * @param counts of each what `readCounts` returned, and its exit code
 * @returns the same of all; `code` is that of one that did not end with 0
 */
export function addUp(counts) {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    failures: counts.flatMap(({ failures }) => failures),
    files: Object.assign({}, ...counts.map(({ files }) => files)),
    code: counts.find(({ code }) => code !== 0)?.code ?? 0,
  };
}

/** The slowest files and the totals of all, so that growth is seen. @param files what the reporter left of each file, by its path */
export function describeCosts(files) {
  const measured = Object.entries(files).map(([file, costs]) => ({ file, ...costs }));
  const sum = (what) => measured.reduce((total, costs) => total + costs[what], 0);
  const [seconds, cpu] = [sum("seconds"), sum("cpu")];
  const slowest = measured.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  return [
    `The slowest of ${measured.length} files, in seconds and seconds of processor:`,
    ...slowest.map((costs) => `${shown(costs.seconds)} ${shown(costs.cpu)}  ${costs.file}`),
    `${shown(seconds)} ${shown(cpu)}  all: ${(seconds - cpu).toFixed(0)} s waited, ` +
      `${sum("processes")} processes and ${sum("threads")} threads started`,
  ].join("\n");
}

const shown = (seconds) => seconds.toFixed(1).padStart(8);

/** What failed, all together, after the output of all processes. */
export function printFailures(failures) {
  for (const { title, why } of failures) console.log(`failed: ${title}\n${why.replace(/^/gm, "  ")}`);
}

// Runs the tests on a fresh clone or an old one: `npm test [-- file or folder ... --grep text]`, or of changes, `npm test -- --changed`.
// Ends with what failed and "N passed, N failed".
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { availableParallelism, constants, tmpdir } from "node:os";
import { join } from "node:path";
import { chooseChanged, readArguments } from "./changed-tests.mjs";
import { TESTS_OF_GUIDES } from "./choose-tests.mjs";
import { keepVersions, mergeCoverage, writeRecord } from "./coverage-record.mjs";
import { ROOT, ensureReady } from "./ensure-ready.mjs";
import { recordCosts, secondsOf, waits } from "./file-costs.mjs";
import { addUp, dealFiles, describeCosts, printFailures, readCounts, startMocha } from "./mocha-process.mjs";
import { keepTemporaryFilesInMemory } from "./memory-folder.mjs";
import { obtainPostgres } from "./postgres-server.mjs";
import { watchTests } from "./watch-tests.mjs";
import { whenEnded } from "./when-ended.mjs";

const OPTIONS_WITH_VALUE = new Set(["-g", "--grep", "-f", "--fgrep", "-t", "--timeout", "-s", "--slow", "--retries"]);
/**
 * Processes of a run of everything: one more than there are cores, since each waits for its database half of the time; beside
 * them those whose tests mostly wait.
 */
const BUSY = Math.min(4, availableParallelism() + 1);
const WAITING = 2;
/** Processes that named files are dealt to; without it they run in one, whose output is shown at once. */
const PROCESSES = Number(process.env.PLINTH_TEST_PROCESSES ?? 0);
/** The options of mocha of each run. */
const ALWAYS = ["--reporter", "test/count-reporter.cjs", "--forbid-pending"];
const ASKED = readArguments(process.argv.slice(2));
/** A run without arguments. */
const IS_FULL = process.argv.length === 2;
/** Whether the functions that each file of tests runs are recorded: in a full run, and of named files in a record of their own. */
const { PLINTH_TEST_RECORD, PLINTH_COVERAGE_RECORD } = process.env;
const IS_RECORDED = !ASKED.changed && Boolean(PLINTH_COVERAGE_RECORD ?? (IS_FULL && PLINTH_TEST_RECORD));
const NOTHING = { passed: 0, failed: 0, failures: [], files: {} };

/**
 * The arguments of mocha for each process: a folder means the tests below it, and no file or folder means all.
 *
 * @param chosen the tests of changes, if only they are asked for
 */
function dealArguments(args, chosen) {
  const isPath = (arg, index) => !arg.startsWith("-") && !OPTIONS_WITH_VALUE.has(args[index - 1]);
  const isFolder = (arg) => existsSync(join(ROOT, arg)) && statSync(join(ROOT, arg)).isDirectory();
  const passed = args.map((arg, index) =>
    isPath(arg, index) && isFolder(arg) ? `${arg.replace(/\/+$/, "")}/**/*.test.ts` : arg,
  );
  const always = [...ALWAYS, ...passed];
  if (chosen) {
    if (args.some(isPath)) throw new Error("--changed chooses the files itself: name none");
    const isGrepped = args.some((arg) => /^(?:-[gf]|--f?grep)(?:=|$)/.test(arg));
    const ofGuides = [...(isGrepped ? [] : ["--grep", chosen.guides.join("|")]), TESTS_OF_GUIDES];
    const dealt = [...dealFiles(chosen.files, BUSY, secondsOf), ...(chosen.guides.length > 0 ? [ofGuides] : [])];
    return dealt.map((own) => [...always, ...own]);
  }
  const named = args.filter(isPath);
  if (named.length > 0 && !PROCESSES) return [always];
  if (named.length > 0) {
    const options = args.filter((arg, index) => !isPath(arg, index));
    return dealFiles(named, PROCESSES, secondsOf).map((own) => [...ALWAYS, ...options, ...own]);
  }
  const files = allTests();
  const busy = files.filter((file) => !waits(file));
  const dealt = [...dealFiles(busy, BUSY, secondsOf), ...dealFiles(files.filter(waits), WAITING, secondsOf)];
  return dealt.map((own) => [...always, ...own]);
}

function allTests() {
  const paths = readdirSync(join(ROOT, "test"), { recursive: true });
  const isTest = (path) => path.endsWith(".test.ts") && !path.includes("node_modules");
  return paths
    .filter(isTest)
    .sort()
    .map((path) => join("test", path));
}

async function runTests({ args, changed }, running) {
  const chosen = changed && chooseChanged(changed, BUSY);
  const groups = dealArguments(args, chosen);
  if (groups.length === 0) return { ...NOTHING, code: 0 };
  await ensureReady();
  if (IS_FULL) keepTemporaryFilesInMemory();
  const server = await obtainPostgres();
  console.error(`[plinth] testing on PGlite and on ${server.version}`);
  try {
    if (running.signal) return { ...NOTHING, code: 1 };
    const result = await runTogether(groups, running, server, IS_RECORDED);
    return IS_FULL ? countUnraised(result) : result;
  } finally {
    await server.stop();
  }
}

/** In a run that chooses its files, suites that are the same on both databases run on one of them; see test/databases.ts. */
function databases({ url }) {
  const { TEST_DATABASES = IS_FULL || ASKED.changed ? "either" : "both" } = process.env;
  return { TEST_DATABASE_URL: url, TEST_DATABASES };
}

/**
 * @param groups the arguments of each process
 * @param isRecorded whether the functions that each file of tests runs are recorded
 */
async function runTogether(groups, running, server, isRecorded = false) {
  const home = mkdtempSync(join(tmpdir(), "plinth-test-"));
  const file = (name, index) => join(home, `${name}-${index}.json`);
  const files = (name) => groups.map((_, index) => file(name, index));
  const run = async (args, index) => {
    const left = {
      PLINTH_TEST_COUNTS: file("counts", index),
      PLINTH_TEST_UNRAISED: file("unraised", index),
      PLINTH_TEST_PROGRESS: file("progress", index),
    };
    if (isRecorded) left.PLINTH_TEST_COVERAGE = file("coverage", index);
    const env = { ...databases(server), ...left };
    const code = await runMocha(args, running, { env, isShown: groups.length === 1 });
    // The id of a process that has ended may be another's soon: it is not watched any more.
    rmSync(left.PLINTH_TEST_PROGRESS, { force: true });
    return { ...readCounts(left.PLINTH_TEST_COUNTS), code };
  };
  const endWatch = watchTests(files("progress"));
  const versions = isRecorded ? keepVersions() : {};
  try {
    const counts = addUp(await Promise.all(groups.map(run)));
    if (isRecorded && !running.signal) recordCoverage(files("coverage"), versions);
    return { ...counts, unraised: readUnraised(files("unraised")) };
  } finally {
    endWatch();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Records what all processes left; nothing when one of them left nothing. */
function recordCoverage(files, versions) {
  if (!files.every((file) => existsSync(file))) return;
  writeRecord(
    mergeCoverage(files.map((file) => JSON.parse(readFileSync(file, "utf8")))),
    versions,
    PLINTH_COVERAGE_RECORD,
  );
}

/** @returns the exit code; output that was not shown is printed when it ends */
async function runMocha(args, running, options) {
  const mocha = startMocha(args, options);
  running.mochas.add(mocha);
  const { code, output } = await mocha.ended;
  running.mochas.delete(mocha);
  process.stdout.write(output);
  return code;
}

/** Errors of the catalogue that no test of any process raised. */
function readUnraised(files) {
  const left = files.filter((file) => existsSync(file));
  const [first = [], ...others] = left.map((file) => JSON.parse(readFileSync(file, "utf8")));
  return first.filter((error) => others.every((unraised) => unraised.includes(error)));
}

/** Counts each error that was never raised as a failure; a test that failed may be the one that raises it. */
function countUnraised(result) {
  if (result.failed > 0 || result.code !== 0) return result;
  const failures = result.unraised.map(describeUnraised);
  return { ...result, failed: failures.length, failures };
}

const describeUnraised = (error) => ({
  title: `${error} is raised by no test`,
  why: "Raise it in the tests' own process; an error of a command that a test starts is not seen. Or delete it.",
});

async function main() {
  const running = { mochas: new Set(), signal: undefined };
  whenEnded((signal) => {
    running.signal = signal;
    for (const mocha of running.mochas) mocha.end();
  });
  const { passed, failed, failures, files, code } = await runTests(ASKED, running).catch((error) => {
    console.error(`[plinth] ${error.message}`);
    return { ...NOTHING, failed: 1, code: 1 };
  });
  if (passed + failed === 0) console.error("[plinth] no test ran");
  else if (failed === 0 && code !== 0)
    console.error(`[plinth] every test passed, but mocha ended with exit code ${code}`);
  if (Object.keys(files).length > 1) console.log(describeCosts(files));
  if (PLINTH_TEST_RECORD) recordCosts(files);
  printFailures(failures);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = code !== 0 || failed > 0 || (passed === 0 && !ASKED.changed) ? 1 : 0;
  if (running.signal) process.exitCode = 128 + constants.signals[running.signal];
}

await main();

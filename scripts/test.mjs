// Runs the tests on a fresh clone or an old one: `npm test [-- file or folder ... --grep text]`. Ends with what failed and "N passed, N failed".
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { availableParallelism, constants, tmpdir } from "node:os";
import { join } from "node:path";
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
/** The options of mocha of each run. */
const ALWAYS = ["--reporter", "test/count-reporter.cjs", "--forbid-pending"];
const NOTHING = { passed: 0, failed: 0, failures: [], files: {} };

/** The arguments of mocha for each process: a folder means the tests below it, and no file or folder means all. */
function dealArguments(args) {
  const isPath = (arg, index) => !arg.startsWith("-") && !OPTIONS_WITH_VALUE.has(args[index - 1]);
  const isFolder = (arg) => existsSync(join(ROOT, arg)) && statSync(join(ROOT, arg)).isDirectory();
  const passed = args.map((arg, index) =>
    isPath(arg, index) && isFolder(arg) ? `${arg.replace(/\/+$/, "")}/**/*.test.ts` : arg,
  );
  const always = [...ALWAYS, ...passed];
  if (args.some(isPath)) return [always];
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

async function runTests(args, running) {
  await ensureReady();
  if (args.length === 0) keepTemporaryFilesInMemory();
  const server = await obtainPostgres();
  console.error(`[plinth] testing on PGlite and on ${server.version}`);
  try {
    if (running.signal) return { ...NOTHING, code: 1 };
    const result = await runTogether(dealArguments(args), running, server);
    return args.length === 0 ? countUnraised(result) : result;
  } finally {
    await server.stop();
  }
}

/** A run of everything has suites that are the same on both databases run on one of them; see test/databases.ts. */
function databases({ url }) {
  const { TEST_DATABASES = process.argv.length > 2 ? "both" : "either" } = process.env;
  return { TEST_DATABASE_URL: url, TEST_DATABASES };
}

/** @param groups the arguments of each process */
async function runTogether(groups, running, server) {
  const home = mkdtempSync(join(tmpdir(), "plinth-test-"));
  const file = (name, index) => join(home, `${name}-${index}.json`);
  const files = (name) => groups.map((_, index) => file(name, index));
  const run = async (args, index) => {
    const left = {
      PLINTH_TEST_COUNTS: file("counts", index),
      PLINTH_TEST_UNRAISED: file("unraised", index),
      PLINTH_TEST_PROGRESS: file("progress", index),
    };
    const env = { ...databases(server), ...left };
    const code = await runMocha(args, running, { env, isShown: groups.length === 1 });
    // The id of a process that has ended may be another's soon: it is not watched any more.
    rmSync(left.PLINTH_TEST_PROGRESS, { force: true });
    return { ...readCounts(left.PLINTH_TEST_COUNTS), code };
  };
  const endWatch = watchTests(files("progress"));
  try {
    return { ...addUp(await Promise.all(groups.map(run))), unraised: readUnraised(files("unraised")) };
  } finally {
    endWatch();
    rmSync(home, { recursive: true, force: true });
  }
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
  const { passed, failed, failures, files, code } = await runTests(process.argv.slice(2), running).catch((error) => {
    console.error(`[plinth] ${error.message}`);
    return { ...NOTHING, failed: 1, code: 1 };
  });
  if (passed + failed === 0) console.error("[plinth] no test ran");
  else if (failed === 0 && code !== 0)
    console.error(`[plinth] every test passed, but mocha ended with exit code ${code}`);
  if (Object.keys(files).length > 1) console.log(describeCosts(files));
  if (process.env.PLINTH_TEST_RECORD) recordCosts(files);
  printFailures(failures);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = code !== 0 || failed > 0 || passed === 0 ? 1 : 0;
  if (running.signal) process.exitCode = 128 + constants.signals[running.signal];
}

await main();

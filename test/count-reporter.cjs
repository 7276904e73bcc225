// The spec reporter of mocha, which also leaves its counts, failures and the passed tests and costs of each file behind
// for scripts/test.mjs, notes where it is for scripts/watch-tests.mjs, and names what keeps a finished run alive.
const { subscribe } = require("node:diagnostics_channel");
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { relative } = require("node:path");
const { reporters, Runner } = require("mocha");

const SECONDS_TO_END = 30;

module.exports = class CountReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    const files = measureFiles(runner);
    noteProgress(runner);
    const { PLINTH_TEST_COVERAGE: coverage } = process.env;
    if (coverage) require("./record-coverage.cjs")(runner, coverage);
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) =>
      failures.push({ title: test.fullTitle(), file: fileOf(test), why: error.stack ?? String(error) }),
    );
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes: passed, failures: failed } = this.stats;
      const file = process.env.PLINTH_TEST_COUNTS;
      if (file) writeFileSync(file, JSON.stringify({ passed, failed, failures, files }));
      // Does not keep the process alive itself: it only fires when a test left something open.
      setTimeout(endStuckRun, SECONDS_TO_END * 1000).unref();
    });
  }
};

/** The process, how many tests have ended and which one runs, a line each. */
function noteProgress(runner) {
  const file = process.env.PLINTH_TEST_PROGRESS;
  if (!file) return;
  let ended = 0;
  runner.on(Runner.constants.EVENT_TEST_BEGIN, (test) =>
    writeFileSync(file, [process.pid, ended, test.fullTitle().replaceAll("\n", " ")].join("\n")),
  );
  runner.on(Runner.constants.EVENT_TEST_END, () => {
    ended += 1;
  });
}

/** The path of the file of a test or hook; undefined for a hook of all files. */
const fileOf = ({ file }) => file && relative(process.cwd(), file);

/**
 * Of each file, by its path: `passed` tests; `seconds` with those of hooks; `cpu`, those of a processor, of this process and
 * of the processes that it started; `processes` and `threads` that it started.
 */
function measureFiles(runner) {
  const files = {};
  const of = (path) => (files[path] ??= { passed: 0, seconds: 0, cpu: 0, processes: 0, threads: 0 });
  const counted = countStarts();
  let since;
  runner.on(Runner.constants.EVENT_TEST_PASS, (test) => {
    of(fileOf(test)).passed += 1;
  });
  runner.on(Runner.constants.EVENT_SUITE_BEGIN, ({ parent }) => {
    if (parent?.root) since = now(counted);
  });
  runner.on(Runner.constants.EVENT_SUITE_END, (suite) => {
    if (!suite.parent?.root) return;
    const [file, ended] = [of(fileOf(suite)), now(counted)];
    for (const what of Object.keys(ended)) file[what] += ended[what] - since[what];
  });
  return files;
}

const now = (counted) => ({ seconds: Date.now() / 1000, cpu: cpuSeconds(), ...counted });

/** The processes and threads that this process has started, from now on. */
function countStarts() {
  const counted = { processes: 0, threads: 0 };
  subscribe("child_process", () => (counted.processes += 1));
  subscribe("worker_threads", () => (counted.threads += 1));
  return counted;
}

/** Clock ticks of a second, which Linux counts the time of processes in. */
const TICKS = 100;

/** Seconds of processor that this process has used, and on Linux those of its children that have ended. */
function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (!existsSync("/proc/self/stat")) return own;
  // After the name in brackets, which may have spaces: cutime and cstime are the 16th and 17th field of all.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
  return own + (Number(fields[13]) + Number(fields[14])) / TICKS;
}

function endStuckRun() {
  const open = process.getActiveResourcesInfo().join(", ");
  console.error(`The tests ended ${SECONDS_TO_END} s ago, but they left this open: ${open}`);
  process.exit(1);
}

// The spec reporter of mocha, which also leaves its counts, failures and the passed tests and seconds of each file behind
// for scripts/test.mjs, notes where it is for scripts/watch-tests.mjs, and names what keeps a finished run alive.
const { writeFileSync } = require("node:fs");
const { relative } = require("node:path");
const { reporters, Runner } = require("mocha");

const SECONDS_TO_END = 30;

module.exports = class CountReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    const files = measureFiles(runner);
    noteProgress(runner);
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) =>
      failures.push({ title: test.fullTitle(), file: fileOf(test), why: error.stack ?? String(error) }),
    );
    runner.on(Runner.constants.EVENT_TEST_RETRY, (test, error) =>
      console.log(`[plinth] tried once more: ${test.fullTitle()}\n${error.stack ?? error}`),
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

/** `passed` tests, and `seconds` with those of hooks, of each file, by its path. */
function measureFiles(runner) {
  const files = {};
  const of = (path) => (files[path] ??= { passed: 0, seconds: 0 });
  let since = 0;
  runner.on(Runner.constants.EVENT_TEST_PASS, (test) => {
    of(fileOf(test)).passed += 1;
  });
  runner.on(Runner.constants.EVENT_SUITE_BEGIN, ({ parent }) => {
    if (parent?.root) since = Date.now();
  });
  runner.on(Runner.constants.EVENT_SUITE_END, (suite) => {
    if (suite.parent?.root) of(fileOf(suite)).seconds += (Date.now() - since) / 1000;
  });
  return files;
}

function endStuckRun() {
  const open = process.getActiveResourcesInfo().join(", ");
  console.error(`The tests ended ${SECONDS_TO_END} s ago, but they left this open: ${open}`);
  process.exit(1);
}

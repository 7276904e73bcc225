// The spec reporter of mocha, which also leaves its counts and failures behind for scripts/test.mjs and names what keeps a
// finished run alive.
const { writeFileSync } = require("node:fs");
const { reporters, Runner } = require("mocha");

const SECONDS_TO_END = 30;

module.exports = class CountReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) =>
      failures.push({ title: test.fullTitle(), why: error.stack ?? String(error) }),
    );
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes: passed, failures: failed } = this.stats;
      const file = process.env.PLINTH_TEST_COUNTS;
      if (file) writeFileSync(file, JSON.stringify({ passed, failed, failures }));
      // Does not keep the process alive itself: it only fires when a test left something open.
      setTimeout(endStuckRun, SECONDS_TO_END * 1000).unref();
    });
  }
};

function endStuckRun() {
  const open = process.getActiveResourcesInfo().join(", ");
  console.error(`The tests ended ${SECONDS_TO_END} s ago, but they left this open: ${open}`);
  process.exit(1);
}

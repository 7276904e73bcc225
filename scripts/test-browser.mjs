// Runs the tests of the admin page in a real Chromium: `npm run test:browser [-- --grep text]`, or those of its times on this
// machine: `npm run test:browser -- --budgets`. Ends with "N passed, N failed".
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, ensureReady } from "./ensure-ready.mjs";
import { findChromium } from "./find-chromium.mjs";
import { keepTemporaryFilesInMemory } from "./memory-folder.mjs";
import { addUp, dealFiles, describeCosts, printFailures, readCounts, startMocha } from "./mocha-process.mjs";
import { recordCosts, secondsOf } from "./file-costs.mjs";
import { repeatFailed } from "./repeat-failed.mjs";

const FOLDER = join("test", "browser");
/** The option that asks for the times of the page, which depend on the machine and have it to themselves. */
const BUDGETS = "--budgets";
const MEASURED = join(FOLDER, "budgets.browser.ts");
/** Processes that run the other tests: a browser waits about half of the time. */
const PROCESSES = 3;
const OPTIONS = ["--reporter", "test/count-reporter.cjs", "--forbid-pending", "--timeout", "300000"];

async function main() {
  await ensureReady();
  keepTemporaryFilesInMemory();
  const chromium = await findChromium();
  const files = readdirSync(join(ROOT, FOLDER))
    .filter((name) => name.endsWith(".browser.ts"))
    .map((name) => join(FOLDER, name))
    .filter((path) => path !== MEASURED);
  const options = process.argv.slice(2).filter((arg) => arg !== BUDGETS);
  const isMeasured = process.argv.includes(BUDGETS);
  const groups = isMeasured ? [[MEASURED]] : dealFiles(files, PROCESSES, secondsOf);
  const run = (parts) => runTogether(parts, options, chromium);
  const result = await run(groups);
  return report(options.length > 0 ? result : await repeatFailed(result, (failed) => run([failed])));
}

/** @param groups the files of each process @param options of mocha */
async function runTogether(groups, options, chromium) {
  const home = mkdtempSync(join(tmpdir(), "plinth-browser-"));
  const run = async (files, index) => {
    const counts = join(home, `counts-${index}.json`);
    const env = { PLINTH_CHROMIUM: chromium, PLINTH_TEST_COUNTS: counts };
    const args = [...OPTIONS, ...options, ...files];
    const { code, output } = await startMocha(args, { env }).ended;
    process.stdout.write(output);
    return { ...readCounts(counts), code };
  };
  try {
    return addUp(await Promise.all(groups.map(run)));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** @returns the exit code */
function report({ passed, failed, failures, files, code }) {
  console.log(describeCosts(files));
  if (process.env.PLINTH_TEST_RECORD) recordCosts(files);
  printFailures(failures);
  console.log(`${passed} passed, ${failed} failed`);
  return code !== 0 || failed > 0 || passed === 0 ? 1 : 0;
}

process.exitCode = await main().catch((error) => {
  console.error(`[plinth] ${error.message}`);
  console.log("0 passed, 1 failed");
  return 1;
});

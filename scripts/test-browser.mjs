// Runs the tests of the admin page in a real Chromium: `npm run test:browser [-- --grep text]`. Ends with "N passed, N failed".
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, ensureReady } from "./ensure-ready.mjs";
import { findChromium } from "./find-chromium.mjs";
import { dealFiles, readCounts, startMocha } from "./mocha-process.mjs";

const FOLDER = join("test", "browser");
/** What measures times has the machine to itself. */
const MEASURED = join(FOLDER, "budgets.browser.ts");
/** Processes that share the other tests: a browser waits about half of the time. */
const PROCESSES = 2;
// A browser on a busy machine now and then answers later than any limit: what fails is tried once more, and told.
const OPTIONS = ["--reporter", "test/count-reporter.cjs", "--forbid-pending", "--timeout", "60000", "--retries", "1"];

async function main() {
  await ensureReady();
  const chromium = await findChromium();
  const home = mkdtempSync(join(tmpdir(), "plinth-browser-"));
  try {
    const files = readdirSync(join(ROOT, FOLDER))
      .filter((name) => name.endsWith(".browser.ts"))
      .map((name) => join(FOLDER, name))
      .filter((path) => path !== MEASURED);
    const run = (groups) => runTogether(groups, { chromium, home });
    const results = [...(await run([[MEASURED]])), ...(await run(dealFiles(files, PROCESSES)))];
    return report(results);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** @param groups the files of each process @returns the code and the counts of each */
async function runTogether(groups, { chromium, home }) {
  const started = groups.map((files, index) => {
    const counts = join(home, `counts-${files.length}-${index}.json`);
    const env = { PLINTH_CHROMIUM: chromium, PLINTH_TEST_COUNTS: counts };
    const args = [...OPTIONS, ...process.argv.slice(2), ...files];
    return { ...startMocha(args, { env, isShown: index === 0 }), counts };
  });
  const results = [];
  for (const { ended, counts } of started) {
    const { code, output } = await ended;
    process.stdout.write(output);
    results.push({ code, ...readCounts(counts) });
  }
  return results;
}

/** @returns the exit code */
function report(results) {
  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  for (const { title, why } of results.flatMap(({ failures }) => failures)) console.log(`failed: ${title}\n${why}`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  return results.some(({ code }) => code !== 0) || sum("failed") > 0 || sum("passed") === 0 ? 1 : 0;
}

process.exitCode = await main().catch((error) => {
  console.error(`[plinth] ${error.message}`);
  console.log("0 passed, 1 failed");
  return 1;
});

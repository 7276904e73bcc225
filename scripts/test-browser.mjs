// Runs the tests of the admin page in a real Chromium: `npm run test:browser [-- --grep text]`. Ends with "N passed, N failed".
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, ensureReady } from "./ensure-ready.mjs";
import { findChromium } from "./find-chromium.mjs";
import { dealFiles, describeSlowest, inLanes, readCounts, startMocha } from "./mocha-process.mjs";

const FOLDER = join("test", "browser");
/** What measures times has the machine to itself. */
const MEASURED = join(FOLDER, "budgets.browser.ts");
/** Processes at a time: a browser waits about half of the time. */
const PROCESSES = 2;
/** Parts of the other tests: one that is done makes room for the next. */
const PARTS = 8;
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
    const run = (groups) =>
      inLanes(groups.length, PROCESSES, {}, (index) => runPart(groups[index], { chromium, home }));
    const results = [...(await run([[MEASURED]])), ...(await run(dealFiles(files, PARTS)))];
    return report(results);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** @returns the exit code and the counts */
async function runPart(files, { chromium, home }) {
  const counts = join(home, `${files[0].replace(/\W/g, "-")}.json`);
  const env = { PLINTH_CHROMIUM: chromium, PLINTH_TEST_COUNTS: counts };
  const { code, output } = await startMocha([...OPTIONS, ...process.argv.slice(2), ...files], { env }).ended;
  process.stdout.write(output);
  return { code, ...readCounts(counts) };
}

/** @returns the exit code */
function report(results) {
  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  console.log(describeSlowest(Object.assign({}, ...results.map(({ files }) => files))));
  for (const { title, why } of results.flatMap(({ failures }) => failures)) console.log(`failed: ${title}\n${why}`);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  return results.some(({ code }) => code !== 0) || sum("failed") > 0 || sum("passed") === 0 ? 1 : 0;
}

process.exitCode = await main().catch((error) => {
  console.error(`[plinth] ${error.message}`);
  console.log("0 passed, 1 failed");
  return 1;
});

// Runs the tests of the admin page in a real Chromium: `npm run test:browser [-- --grep text]`. Ends with "N passed, N failed".
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, ensureReady } from "./ensure-ready.mjs";
import { findChromium } from "./find-chromium.mjs";

async function main() {
  await ensureReady();
  const chromium = await findChromium();
  const home = mkdtempSync(join(tmpdir(), "plinth-browser-"));
  const counts = join(home, "counts.json");
  // A browser on a busy machine now and then answers later than any limit: what fails is tried once more, and told.
  const always = ["--forbid-pending", "--timeout", "60000", "--retries", "1"];
  const args = ["--reporter", "test/count-reporter.cjs", ...always];
  const code = await run([...args, ...process.argv.slice(2), "test/browser/**/*.browser.ts"], {
    PLINTH_CHROMIUM: chromium,
    PLINTH_TEST_COUNTS: counts,
  });
  const { passed, failed } = existsSync(counts) ? JSON.parse(readFileSync(counts, "utf8")) : { passed: 0, failed: 1 };
  rmSync(home, { recursive: true, force: true });
  console.log(`${passed} passed, ${failed} failed`);
  return code !== 0 || failed > 0 || passed === 0 ? 1 : 0;
}

function run(args, env) {
  const mocha = join("node_modules", "mocha", "bin", "mocha.js");
  const child = spawn(process.execPath, [mocha, ...args], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) => done(code ?? 1));
  });
}

process.exitCode = await main().catch((error) => {
  console.error(`[plinth] ${error.message}`);
  console.log("0 passed, 1 failed");
  return 1;
});

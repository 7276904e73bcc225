// Runs the tests on a fresh clone or an old one: `npm test [-- file or folder ... --grep text]`. Ends with "N passed, N failed".
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, ensureReady } from "./ensure-ready.mjs";
import { obtainPostgres } from "./postgres-server.mjs";
import { whenEnded } from "./when-ended.mjs";

const ALL_TESTS = "test/**/*.test.ts";
const OPTIONS_WITH_VALUE = new Set(["-g", "--grep", "-f", "--fgrep", "-t", "--timeout", "-s", "--slow", "--retries"]);

/** Turns our arguments into those of mocha: a folder means the tests below it, and no file or folder means all. */
function mochaArguments(args) {
  const isPath = (arg, index) => !arg.startsWith("-") && !OPTIONS_WITH_VALUE.has(args[index - 1]);
  const isFolder = (arg) => existsSync(join(ROOT, arg)) && statSync(join(ROOT, arg)).isDirectory();
  const passed = args.map((arg, index) =>
    isPath(arg, index) && isFolder(arg) ? `${arg.replace(/\/+$/, "")}/**/*.test.ts` : arg,
  );
  const paths = args.some(isPath) ? [] : [ALL_TESTS];
  return ["--reporter", "test/count-reporter.cjs", "--forbid-pending", ...passed, ...paths];
}

/** @returns {{ ended: Promise<number>, end: () => void }} `ended` resolves with the exit code. */
function startMocha(args, env) {
  const mocha = join("node_modules", "mocha", "bin", "mocha.js");
  const child = spawn(process.execPath, [mocha, ...mochaArguments(args)], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  const ended = new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code, signal) => done(code ?? 128 + constants.signals[signal]));
  });
  // mocha's own launcher hands on only this signal to the process that runs the tests.
  return { ended, end: () => child.kill("SIGINT") };
}

async function runTests(args, running) {
  await ensureReady();
  const server = await obtainPostgres();
  console.error(`[plinth] testing on PGlite and on ${server.version}`);
  const home = mkdtempSync(join(tmpdir(), "plinth-test-"));
  const counts = join(home, "counts.json");
  try {
    if (running.signal) return { passed: 0, failed: 0, code: 1 };
    running.mocha = startMocha(args, { TEST_DATABASE_URL: server.url, PLINTH_TEST_COUNTS: counts });
    const code = await running.mocha.ended;
    return { ...readCounts(counts), code };
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

function readCounts(file) {
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  console.error("[plinth] the tests ended before they could be counted");
  return { passed: 0, failed: 1 };
}

async function main() {
  const running = { mocha: undefined, signal: undefined };
  whenEnded((signal) => {
    running.signal = signal;
    running.mocha?.end();
  });
  const { passed, failed, code } = await runTests(process.argv.slice(2), running).catch((error) => {
    console.error(`[plinth] ${error.message}`);
    return { passed: 0, failed: 1, code: 1 };
  });
  if (passed + failed === 0) console.error("[plinth] no test ran");
  else if (failed === 0 && code !== 0)
    console.error(`[plinth] every test passed, but mocha ended with exit code ${code}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = code !== 0 || failed > 0 || passed === 0 ? 1 : 0;
  if (running.signal) process.exitCode = 128 + constants.signals[running.signal];
}

await main();

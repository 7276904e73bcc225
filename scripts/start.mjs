// Runs a command of the sample app (app-template), ready or not: `node scripts/start.mjs [start|develop|...] [arguments]`.
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT, ensureReady } from "./ensure-ready.mjs";
import { whenEnded } from "./when-ended.mjs";

const APP = join(ROOT, "app-template");
const CLI = join(ROOT, "core", "dist", "cli");

/** What `plinth new` gives to a new app, the sample app gets when it first runs: secrets of its own. */
async function writeEnvFile() {
  const file = join(APP, ".env");
  if (existsSync(file)) return;
  const { buildEnvFile } = await import(pathToFileURL(join(CLI, "scaffold", "own-files.js")).href);
  writeFileSync(file, buildEnvFile(), { mode: 0o600 });
}

/** Hands the process over to the command line of Plinth, in the folder of the sample app, and ends as it ends. */
function runInApp(args) {
  const child = spawn(process.execPath, [join(CLI, "main.js"), ...args], {
    cwd: APP,
    stdio: "inherit",
  });
  whenEnded((signal) => forward(child, signal));
  child.once("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** A terminal sends Ctrl-C to every process in the foreground, so the child has it already. */
function forward(child, signal) {
  if (signal === "SIGINT" && process.stdin.isTTY) return;
  child.kill(signal);
}

const args = process.argv.slice(2);

try {
  await ensureReady();
  await writeEnvFile();
  runInApp(args.length === 0 ? ["start"] : args);
} catch (error) {
  console.error(`[plinth] ${error.message}`);
  process.exitCode = 1;
}

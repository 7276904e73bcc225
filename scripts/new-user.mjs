// The way of a new user, from an empty folder to a deployed app, timed: `node scripts/new-user.mjs [--limit <seconds>] [--keep]`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureReady } from "./ensure-ready.mjs";
import { startRegistry, npmConfigFor } from "./local-registry.mjs";
import { steps } from "./new-user-steps.mjs";
import { publishLocally } from "./release.mjs";
import { Terminal } from "./terminal.mjs";
import { whenEnded } from "./when-ended.mjs";

const { values } = parseArgs({
  options: { limit: { type: "string", default: "600" }, keep: { type: "boolean", default: false } },
});

const home = mkdtempSync(join(tmpdir(), "plinth-new-user-"));
const terminal = new Terminal(home);

/** Runs one step. @returns its line of the table */
async function timed(name, run) {
  const since = performance.now();
  const result = await run();
  const line = `${seconds(since).padStart(8)}  ${name}`;
  console.log(line);
  return result;
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Ends what runs, and takes the folder away. */
async function tidyUp() {
  await terminal.close();
  if (values.keep) console.log(`left in ${home}`);
  else rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function run() {
  await ensureReady();
  const registry = await startRegistry();
  await timed("(the packages of this checkout, released to a registry of this machine)", () =>
    publishLocally(registry.url),
  );
  terminal.set({ ...npmConfigFor(registry.url, home), npm_config_audit: "false", npm_config_fund: "false" });
  const since = performance.now();
  try {
    for (const [name, step] of steps) await timed(name, () => step(terminal));
    console.log(`${seconds(since).padStart(8)}  in all, from an empty folder to a deployed app`);
  } finally {
    registry.close();
  }
}

const isOver = new Promise((_, fail) => {
  const late = () => fail(new Error(`not done after ${values.limit} s`));
  setTimeout(late, Number(values.limit) * 1000).unref();
  whenEnded((signal) => fail(new Error(`ended by ${signal}`)));
});

try {
  await Promise.race([run(), isOver]);
} catch (error) {
  console.error(`failed: ${error.message}`);
  process.exitCode = 1;
}
await tidyUp();
process.exit();

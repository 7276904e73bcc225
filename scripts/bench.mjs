// Measures Plinth against a bare server: `npm run bench -- [--short] [--rounds N] [--seconds N] [--connections N] [--articles N]`.
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, ensureReady } from "./ensure-ready.mjs";
import { obtainPostgres } from "./postgres-server.mjs";

const RESULTS = join(ROOT, "test", "bench", "results", "latest.json");
const FULL = { articles: 10_000, rounds: 5, seconds: 6, connections: 10 };
const SHORT = { articles: 2_000, rounds: 3, seconds: 2, connections: 10 };

function readOptions() {
  const numbers = Object.fromEntries(Object.keys(FULL).map((name) => [name, { type: "string" }]));
  const { short, ...given } = parseArgs({ options: { short: { type: "boolean" }, ...numbers } }).values;
  const options = { ...(short ? SHORT : FULL) };
  for (const [name, text] of Object.entries(given)) {
    const number = Number(text);
    if (!Number.isInteger(number) || number < 1)
      throw new Error(`--${name} takes a whole number from 1, not "${text}"`);
    options[name] = number;
  }
  return options;
}

function write(run) {
  mkdirSync(dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify(run, null, 2)}\n`);
}

/** Ends the run at a signal, so that what it started is stopped on the way out. */
function abortOnSignal() {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => controller.abort(new Error(`ended by ${signal}`)));
  }
  return controller.signal;
}

async function main() {
  const options = readOptions();
  const signal = abortOnSignal();
  await ensureReady();
  // What they import is installed only now.
  const { runBench } = await import("../test/bench/run-bench.mjs");
  const { printResults } = await import("../test/bench/print-results.mjs");
  const postgres = await obtainPostgres();
  const { articles, connections, rounds, seconds } = options;
  say(`${postgres.version}, Node ${process.versions.node}, ${availableParallelism()} cores`);
  say(`${articles} articles, ${connections} connections, ${rounds} rounds of ${seconds} s on each server in turn`);
  const { results, seedSeconds } = await runBench({ ...options, server: postgres.url, say, signal }).finally(
    postgres.stop,
  );
  write({
    at: new Date().toISOString(),
    postgres: postgres.version,
    node: process.versions.node,
    ...options,
    seedSeconds,
    results,
  });
  console.log(`\n${printResults(results)}\n`);
  const slow = results.filter(({ ratio, atLeast }) => atLeast !== undefined && ratio < atLeast);
  for (const { name, ratio, atLeast } of slow) {
    say(
      `too slow: "${name}" reaches ${ratio.toFixed(3)} of the limit's requests per second; at least ${atLeast} is asked for`,
    );
  }
  if (slow.length > 0) process.exitCode = 1;
}

const say = (line) => console.error(`[plinth] ${line}`);

await main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});

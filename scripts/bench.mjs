// Measures Plinth against a bare server: `npm run bench -- [--short] [--rounds N] [--seconds N] [--connections N] [--articles N] [--profile]`.
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, ensureReady } from "./ensure-ready.mjs";
import { obtainPostgres } from "./postgres-server.mjs";

const RESULTS = join(ROOT, "test", "bench", "results");
const FULL = { articles: 10_000, rounds: 5, seconds: 6, connections: 10 };
const SHORT = { articles: 2_000, rounds: 3, seconds: 2, connections: 10 };

function readOptions() {
  const numbers = Object.fromEntries(Object.keys(FULL).map((name) => [name, { type: "string" }]));
  const flags = { short: { type: "boolean" }, profile: { type: "boolean" } };
  const { short, profile, ...given } = parseArgs({ options: { ...flags, ...numbers } }).values;
  const asked = Object.entries(given).map(([name, text]) => [name, readNumber(name, text)]);
  return { ...(short ? SHORT : FULL), ...(profile ? { profiles: RESULTS } : {}), ...Object.fromEntries(asked) };
}

function readNumber(name, text) {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} takes a whole number from 1, not "${text}"`);
  return number;
}

/** Ends the run at a signal, so that what it started is stopped on the way out. */
function abortOnSignal() {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => controller.abort(new Error(`ended by ${signal}`)));
  }
  return controller.signal;
}

async function measureAll(options, signal) {
  // What they import may have been installed only now.
  const { runBench } = await import("../test/bench/run-bench.mjs");
  const { printResults } = await import("../test/bench/print-results.mjs");
  mkdirSync(RESULTS, { recursive: true });
  const { url, version, stop } = await obtainPostgres();
  const { articles, connections, rounds, seconds } = options;
  say(`${version}, Node ${process.versions.node}, ${availableParallelism()} cores`);
  say(`${articles} articles, ${connections} connections, ${rounds} rounds of ${seconds} s on each server in turn`);
  const measured = await runBench({ ...options, server: url, say, signal }).finally(stop);
  const run = { at: new Date().toISOString(), postgres: version, node: process.versions.node, ...options, ...measured };
  writeFileSync(join(RESULTS, "latest.json"), `${JSON.stringify(run, null, 2)}\n`);
  console.log(`\n${printResults(measured.results)}\n`);
  return measured.results;
}

async function main() {
  const options = readOptions();
  const signal = abortOnSignal();
  await ensureReady();
  const results = await measureAll(options, signal);
  for (const { name, ratio, atLeast } of results.filter((result) => result.ratio < result.atLeast)) {
    say(
      `too slow: "${name}" reaches ${ratio.toFixed(3)} of the limit's requests per second, and ${atLeast} is asked for`,
    );
    process.exitCode = 1;
  }
}

const say = (line) => console.error(`[plinth] ${line}`);

await main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});

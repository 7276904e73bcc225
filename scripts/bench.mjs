// Measures Plinth against the best that PostgreSQL allows: `npm run bench -- [options]`, see test/bench/README.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureReady, ROOT } from "./ensure-ready.mjs";
import { obtainPostgres } from "./postgres-server.mjs";

const BENCH = join(ROOT, "test", "bench");
const RESULTS = join(BENCH, "results");
const RECORDED = join(BENCH, "recorded.json");
const FULL = { articles: 2_000, rounds: 5, seconds: 4, warmUp: 2 };
const SHORT = { articles: 400, rounds: 3, seconds: 1, warmUp: 1 };

const OPTIONS = {
  short: { type: "boolean" },
  record: { type: "boolean" },
  profile: { type: "boolean" },
  limit: { type: "string", default: "plain" },
  only: { type: "string" },
  peer: { type: "string", multiple: true, default: [] },
  connections: { type: "string", default: "10" },
  articles: { type: "string" },
  rounds: { type: "string" },
  seconds: { type: "string" },
};

function readOptions() {
  const { short, record, profile, limit, only, peer, connections, ...numbers } = parseArgs({ options: OPTIONS }).values;
  if (limit !== "plain" && limit !== "own") throw new Error(`--limit takes "plain" or "own", not "${limit}"`);
  const asked = Object.entries(numbers).map(([name, text]) => [name, readNumber(name, text)]);
  return {
    ...(short ? SHORT : FULL),
    ...Object.fromEntries(asked),
    connections: connections.split(",").map((text) => readNumber("connections", text)),
    peers: peer.map(readPeer),
    ...{ short, record, limit, only },
    ...(profile ? { profiles: RESULTS } : {}),
  };
}

function readNumber(name, text) {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} takes whole numbers from 1, not "${text}"`);
  return number;
}

function readPeer(text) {
  const [, name, url, token] = /^(\w+)=(https?:\/\/[^=]+?)\/?=(.+)$/.exec(text) ?? [];
  if (!name) throw new Error(`--peer takes name=url=token, as in other=http://127.0.0.1:1337=abc, not "${text}"`);
  if (name === "ours" || name === "limit") throw new Error(`--peer: "${name}" is the name of another server here`);
  return { name, url, token };
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
  const { url, version, stop } = await obtainPostgres();
  const { articles, connections, rounds, seconds } = options;
  say(`${version}, Node ${process.versions.node}, ${availableParallelism()} cores`);
  say(`${articles} articles, ${connections} connections, ${rounds} rounds of ${seconds} s on each server in turn`);
  const measured = await runBench({ ...options, server: url, say, signal }).finally(stop);
  const peers = options.peers.map(({ name }) => name);
  const at = new Date().toISOString();
  return { at, postgres: version, node: process.versions.node, ...options, ...measured, peers };
}

async function report(run, { record }) {
  const { printResults } = await import("../test/bench/print-results.mjs");
  const { drawChart } = await import("../test/bench/draw-chart.mjs");
  console.log(`\n${printResults(run.results)}\n`);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, "latest.json"), json(run));
  writeFileSync(join(RESULTS, "latest.svg"), drawChart(run));
  if (!record) return;
  writeFileSync(
    RECORDED,
    json(Object.fromEntries(run.results.map(({ name, ratio }) => [name, Number(ratio.toFixed(3))]))),
  );
}

async function judge({ results }, { short, record, limit }) {
  if (record || limit === "own") return [];
  const { judgeAgainstRecorded, judgeResults } = await import("../test/bench/judge-results.mjs");
  if (!short) return judgeResults(results);
  return judgeAgainstRecorded(results, existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, "utf8")) : {});
}

async function main() {
  const options = readOptions();
  const signal = abortOnSignal();
  await ensureReady();
  const run = await measureAll(options, signal);
  await report(run, options);
  const slow = await judge(run, options);
  for (const line of slow) say(`too slow: ${line}`);
  if (slow.length > 0) process.exitCode = 1;
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const say = (line) => console.error(`[plinth] ${line}`);

await main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});

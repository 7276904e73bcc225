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
const FULL = { articles: 2_000, rounds: 5, seconds: 4, warmUp: 2_000 };
const SHORT = { articles: 400, rounds: 3, seconds: 1, warmUp: 800 };
/** Of `--with`. Many short rounds: a difference of one percent shows in their median only. */
const MANY = { articles: 400, rounds: 12, seconds: 1, warmUp: 2_000 };

/** How many times the rounds a row gets that seems slower than recorded. */
const LONGER = 3;
const SIZES = { scale: "10000,1000000", types: "5,500" };

const OPTIONS = {
  scale: { type: "boolean" },
  types: { type: "boolean" },
  small: { type: "boolean" },
  with: { type: "string", multiple: true, default: [] },
  sizes: { type: "string" },
  short: { type: "boolean" },
  record: { type: "boolean" },
  profile: { type: "boolean" },
  apart: { type: "boolean" },
  limit: { type: "string", default: "plain" },
  only: { type: "string" },
  peer: { type: "string", multiple: true, default: [] },
  connections: { type: "string", default: "10" },
  articles: { type: "string" },
  rounds: { type: "string" },
  seconds: { type: "string" },
};

function readOptions() {
  const { values } = parseArgs({ options: OPTIONS });
  const { short, profile, limit, peer, with: plugins, connections, scale, types, small, sizes, ...rest } = values;
  if (limit !== "plain" && limit !== "own") throw new Error(`--limit takes "plain" or "own", not "${limit}"`);
  const numbers = ["articles", "rounds", "seconds"].filter((name) => rest[name] !== undefined);
  return {
    ...(short ? SHORT : plugins.length > 0 ? MANY : FULL),
    ...rest,
    ...Object.fromEntries(numbers.map((name) => [name, readNumber(name, rest[name])])),
    ...{ short, limit, small },
    ...(plugins.length > 0 ? { with: plugins.map(readPlugins) } : {}),
    connections: readNumbers("connections", connections),
    postgraphile: peer.includes("postgraphile"),
    peers: peer.filter((text) => text !== "postgraphile").map(readPeer),
    ...(scale ? { scale: readNumbers("sizes", sizes ?? SIZES.scale, { count: 2, step: 1000 }) } : {}),
    ...(types ? { types: readNumbers("sizes", sizes ?? SIZES.types, { count: 2 }) } : {}),
    ...(profile ? { profiles: RESULTS } : {}),
  };
}

function readNumbers(name, text, { count, step = 1 } = {}) {
  const numbers = text.split(",").map((part) => readNumber(name, part));
  if (numbers.some((number) => number % step) || (count ?? numbers.length) !== numbers.length) {
    throw new Error(`--${name} takes ${count} multiples of ${step} here, not "${text}"`);
  }
  return numbers;
}

function readNumber(name, text) {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} takes whole numbers from 1, not "${text}"`);
  return number;
}

/** Plugins that are measured together; of ours the name of the plugin will do. */
function readPlugins(text) {
  const names = text.split(",");
  if (names.some((name) => !/^[@\w./-]+$/.test(name)))
    throw new Error(`--with takes plugins, as in metrics, or events,jobs,webhooks, or @acme/plugin, not "${text}"`);
  return names.map((name) => (name.includes("/") ? name : `@plinth/plugin-${name}`));
}

function readPeer(text) {
  const [, name, url, token] = /^(\w+)=(https?:\/\/[^=]+?)\/?=(.+)$/.exec(text) ?? [];
  if (!name)
    throw new Error(
      `--peer takes postgraphile, or name=url=token, as in other=http://127.0.0.1:1337=abc, not "${text}"`,
    );
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

/** What can be measured: how it is run, shown, kept and judged. What is imported may have been installed only now. */
const KINDS = {
  rows: async (options) => {
    const { runBench } = await import("../test/bench/run-bench.mjs");
    const { printResults } = await import("../test/bench/print-results.mjs");
    const { drawChart } = await import("../test/bench/draw-chart.mjs");
    const { judgeAgainstRecorded, judgeResults, slowerThanRecorded } = await import("../test/bench/judge-results.mjs");
    const recorded = options.short && !options.record ? readRecorded() : undefined;
    const judge = (results) => (recorded ? judgeAgainstRecorded(results, recorded) : judgeResults(results));
    // A second in which the machine did something else is no verdict.
    const measure = async (given) => {
      const results = await runBench(given);
      const slower = recorded ? slowerThanRecorded(results, recorded) : [];
      if (slower.length === 0) return results;
      const names = slower.map(({ name }) => name);
      say(`measuring again, ${LONGER} times as long, what seems slower than recorded`);
      const again = await runBench({ ...given, names, rounds: given.rounds * LONGER });
      const isSame = (one) => (other) => one.name === other.name && one.connections === other.connections;
      return results.map((result) => again.find(isSame(result)) ?? result);
    };
    return {
      measure,
      print: printResults,
      keep: (run) => {
        writeFileSync(join(RESULTS, "rows.svg"), drawChart(run));
        if (options.record) writeFileSync(RECORDED, json({ ...readRecorded(), ...ratiosOf(run) }));
      },
      judge: options.record || options.limit === "own" ? () => [] : judge,
    };
  },
  scale: async () => {
    const { runScale, printScale, judgeScale } = await import("../test/bench/run-scale.mjs");
    return { measure: runScale, print: printScale, judge: judgeScale };
  },
  types: async () => {
    const { runTypes, printTypes, judgeTypes } = await import("../test/bench/run-types.mjs");
    return { measure: runTypes, print: printTypes, judge: judgeTypes };
  },
  with: async () => {
    const { runWith, printWith, judgeWith } = await import("../test/bench/run-with.mjs");
    return { measure: runWith, print: printWith, judge: judgeWith };
  },
  small: async () => {
    const { runSmall, printSmall, judgeSmall } = await import("../test/bench/run-small.mjs");
    return { measure: runSmall, print: printSmall, judge: judgeSmall };
  },
};

const readRecorded = () => (existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, "utf8")) : {});

const ratiosOf = ({ results }) =>
  Object.fromEntries(results.map(({ name, ratio }) => [name, Number(ratio.toFixed(3))]));

async function measureKind(name, options, { server, version }) {
  const { measure, print, keep, judge } = await KINDS[name](options);
  const results = await measure({ ...options, server });
  const run = { at: new Date().toISOString(), postgres: version, node: process.versions.node, ...options };
  const kept = { ...run, peers: options.peers.map((peer) => peer.name), results };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${name}.json`), json(kept));
  keep?.(kept);
  console.log(`\n${print(results)}\n`);
  return judge(results);
}

async function main() {
  const options = { ...readOptions(), say, signal: abortOnSignal() };
  await ensureReady();
  const { url, version, stop } = await obtainPostgres();
  const { articles, connections, rounds, seconds } = options;
  say(`${version}, Node ${process.versions.node}, ${availableParallelism()} cores`);
  say(`${articles} articles, ${connections} connections, ${rounds} rounds of ${seconds} s on each server in turn`);
  const growing = ["scale", "types", "small", "with"].filter((name) => options[name]);
  const slow = [];
  try {
    for (const name of growing.length > 0 ? growing : ["rows"]) {
      slow.push(...(await measureKind(name, options, { server: url, version })));
    }
  } finally {
    await stop();
  }
  for (const line of slow) say(`too slow: ${line}`);
  if (slow.length > 0) process.exitCode = 1;
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const say = (line) => console.error(`[plinth] ${line}`);

await main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});

// Puts load on servers in turns, so that what else the machine does hits all of them.
import autocannon from "autocannon";
import { requestOf } from "./request.mjs";

/** Requests that each connection sends in turns; all connections together have this many. */
const MOST_VARIANTS = 20_000;
const VARIANTS = 500;

/** Seconds after which a request counts as failed: with 1,000 connections each waits for its turn. */
const TIMEOUT = 120;

/**
 * @typedef {import("./request.mjs").Server} Server
 * @typedef {import("./run-bench.mjs").Row} Row
 * @typedef {object} LoadOptions
 * @property {number} seconds
 * @property {number} [requests] - how many, in place of how long.
 * @property {number} connections
 * @property {AbortSignal} signal
 * @property {() => number | undefined} postgresCpu - milliseconds so far.
 * @typedef {object} Figures - of one load; undefined where they cannot be had. All times in milliseconds.
 * @property {number} requestsPerSecond
 * @property {number} p50 - latency.
 * @property {number} p99 - latency.
 * @property {number} [cpu] - of the server's own process per request.
 * @property {number} [postgresCpu] - of all processes of PostgreSQL per request; of what a peer asks its own, too, where
 *   that is the same server.
 * @property {number} [statements] - of ours per request: fewer than in a row where reads share them.
 * @property {number} [memory] - resident bytes of the server's own process at the end.
 */

/**
 * Loads every server in every round, in the opposite order each second time.
 *
 * @param {{ server: Server, seeded: import("./seed.mjs").Seeded }[]} places - servers, and what is in them.
 * @param {Row} row
 * @param {LoadOptions & { rounds: number, warmUp: number }} options
 * @returns {Promise<Record<string, { median: Figures, rounds: Figures[] }>>} by name of the server.
 */
export async function measure(places, row, options) {
  const figures = Object.fromEntries(places.map(({ server }) => [server.name, []]));
  for (const place of places) await load(place, row, { ...options, requests: options.warmUp });
  for (let round = 0; round < options.rounds; round += 1) {
    for (const place of round % 2 === 0 ? places : places.toReversed()) {
      figures[place.server.name].push(await load(place, row, options));
    }
  }
  return Object.fromEntries(
    Object.entries(figures).map(([name, list]) => [name, { median: medians(list), rounds: list }]),
  );
}

/**
 * Loads one server once.
 *
 * @returns {Promise<Figures>}
 * @throws when a request fails or is not answered with 2xx.
 */
export async function load({ server, seeded }, common, options) {
  const row = asking(server, common);
  const before = await useOf(server, options);
  const { latencies, duration } = await shoot({ server, seeded }, row, options);
  const after = await useOf(server, options);
  latencies.sort((a, b) => a - b);
  const perRequest = (name) =>
    after[name] === undefined ? undefined : (after[name] - before[name]) / latencies.length;
  return {
    requestsPerSecond: latencies.length / duration,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cpu: perRequest("cpu"),
    postgresCpu: perRequest("postgresCpu"),
    statements: perRequest("statements"),
    memory: after.memory,
  };
}

/** A row as a server is asked for it; undefined where one that speaks another API has nothing like it. */
export function asking({ inPlaceOf }, row) {
  if (!inPlaceOf) return row;
  const ask = inPlaceOf(row.name);
  return ask && { ...row, ask };
}

async function useOf(server, { postgresCpu }) {
  return { ...(await server.ask?.("use")), postgresCpu: postgresCpu() };
}

async function shoot({ server, seeded }, row, { seconds, requests, connections, signal }) {
  signal.throwIfAborted();
  const run = autocannon({
    url: server.url,
    connections,
    ...(requests === undefined ? { duration: seconds } : { amount: Math.max(requests, connections) }),
    timeout: TIMEOUT,
    ...requestsFor(server, seeded, row, connections),
  });
  const stop = () => run.stop();
  signal.addEventListener("abort", stop);
  // autocannon's own histogram knows whole milliseconds only.
  const latencies = [];
  run.on("response", (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  const { errors, timeouts, non2xx, duration } = await run;
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  const failed = errors + timeouts + non2xx;
  if (failed > 0 || latencies.length === 0) {
    throw new Error(`${failed} of ${latencies.length} requests of "${row.name}" to ${server.name} failed under load`);
  }
  return { latencies, duration };
}

/**
 * No write is sent twice. Reads are made beforehand, since making them would take of the processor that the servers need:
 * each connection has its own, which it sends again when it has sent them all.
 */
function requestsFor(server, seeded, row, connections) {
  const build = (turn) => {
    const asked = row.ask(seeded, turn);
    return { path: asked.path, ...requestOf(server, row, asked) };
  };
  const isWrite = row.kind === "create" || row.kind === "update";
  if (isWrite) return { requests: [{ ...build(0), setupRequest: () => build(row.nextTurn()) }] };
  if (row.isAlike) return { requests: [build(0)] };
  const count = Math.min(VARIANTS, Math.ceil(MOST_VARIANTS / connections));
  const setupClient = (client) => client.setRequests(Array.from({ length: count }, () => build(row.nextTurn())));
  return { requests: [build(0)], setupClient };
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

const medians = (list) =>
  Object.fromEntries(Object.keys(list[0]).map((key) => [key, median(list.map((figures) => figures[key]))]));

function median(numbers) {
  if (numbers.includes(undefined)) return undefined;
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

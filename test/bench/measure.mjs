// Puts load on servers in turns, so that what else the machine does hits all of them.
import autocannon from "autocannon";
import { requestOf } from "./prepare-case.mjs";

const WARM_UP_SECONDS = 2;

/**
 * @typedef {{ url: string, ask: (name: string) => Promise<any> }} Server
 * @typedef {{ path: string, body?: object }} Asked - what is asked for.
 * @typedef {{ seconds: number, connections: number, signal: AbortSignal }} LoadOptions
 * @typedef {object} Figures - of one load; all times in milliseconds.
 * @property {number} requestsPerSecond
 * @property {number} p50 - latency.
 * @property {number} p99 - latency.
 * @property {number} cpu - time of the server's own process per request.
 */

/**
 * Loads every server in every round, in the opposite order each second time.
 *
 * @param {Record<string, Server>} servers - by name.
 * @param {Asked} asked
 * @param {LoadOptions & { rounds: number }} options
 * @returns {Promise<Record<string, { median: Figures, rounds: Figures[] }>>} by name of the server.
 */
export async function measure(servers, asked, options) {
  const entries = Object.entries(servers);
  const figures = Object.fromEntries(entries.map(([name]) => [name, []]));
  for (const [, server] of entries) await load(server, asked, { ...options, seconds: WARM_UP_SECONDS });
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [name, server] of round % 2 === 0 ? entries : entries.toReversed()) {
      figures[name].push(await load(server, asked, options));
    }
  }
  return Object.fromEntries(
    Object.entries(figures).map(([name, list]) => [name, { median: medians(list), rounds: list }]),
  );
}

/**
 * Loads one server once.
 *
 * @param {Server} server
 * @param {Asked} asked
 * @param {LoadOptions} options
 * @returns {Promise<Figures>}
 * @throws when a request fails or is not answered with 2xx.
 */
export async function load({ url, ask }, asked, options) {
  const before = await ask("cpuTime");
  const { latencies, duration } = await shoot(url, asked, options);
  const cpu = ((await ask("cpuTime")) - before) / latencies.length;
  latencies.sort((a, b) => a - b);
  const requestsPerSecond = latencies.length / duration;
  return { requestsPerSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), cpu };
}

async function shoot(base, asked, { seconds, connections, signal }) {
  signal.throwIfAborted();
  const url = base + asked.path;
  const run = autocannon({ url, connections, duration: seconds, ...requestOf(asked) });
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
    throw new Error(`${failed} of ${latencies.length} requests to ${url} failed under load`);
  }
  return { latencies, duration };
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

const medians = (list) =>
  Object.fromEntries(Object.keys(list[0]).map((key) => [key, median(list.map((figures) => figures[key]))]));

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

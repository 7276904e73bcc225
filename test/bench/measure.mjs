// Puts load on servers in turns, so that what else the machine does hits all of them.
import autocannon from "autocannon";

const WARM_UP_SECONDS = 2;

/**
 * Loads every server in every round, in the opposite order each second time.
 *
 * @param {Record<string, string>} urls - by name of the server.
 * @param {{ rounds: number, seconds: number, connections: number, signal: AbortSignal }} options
 * @returns {Promise<Record<string, { median: Figures, rounds: Figures[] }>>} by name of the server.
 *
 * @typedef {{ requestsPerSecond: number, p50: number, p99: number }} Figures - latencies in milliseconds.
 */
export async function measure(urls, { rounds, seconds, connections, signal }) {
  const entries = Object.entries(urls);
  const figures = Object.fromEntries(entries.map(([name]) => [name, []]));
  for (const [, url] of entries) await load(url, { seconds: WARM_UP_SECONDS, connections, signal });
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, url] of round % 2 === 0 ? entries : entries.toReversed()) {
      figures[name].push(await load(url, { seconds, connections, signal }));
    }
  }
  return Object.fromEntries(
    Object.entries(figures).map(([name, list]) => [name, { median: medians(list), rounds: list }]),
  );
}

async function load(url, { seconds, connections, signal }) {
  signal.throwIfAborted();
  const run = autocannon({ url, connections, duration: seconds });
  const stop = () => run.stop();
  signal.addEventListener("abort", stop);
  // autocannon's own histogram knows whole milliseconds only.
  const latencies = [];
  run.on("response", (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  const result = await run;
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0 || latencies.length === 0) {
    throw new Error(`${failed} of ${latencies.length} requests to ${url} failed under load`);
  }
  latencies.sort((a, b) => a - b);
  return {
    requestsPerSecond: latencies.length / result.duration,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

const medians = (list) =>
  Object.fromEntries(Object.keys(list[0]).map((key) => [key, median(list.map((figures) => figures[key]))]));

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

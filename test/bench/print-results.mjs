// The figures of a run as a table for people.

const COLUMNS = [
  ["case", ({ name }) => name],
  ["ours req/s", ({ ours }) => ours.median.requestsPerSecond.toFixed(0)],
  ["limit req/s", ({ limit }) => limit.median.requestsPerSecond.toFixed(0)],
  ["ratio", ({ ratio }) => ratio.toFixed(2)],
  ["at least", ({ atLeast }) => atLeast?.toFixed(2) ?? "-"],
  ["ours p50/p99 ms", ({ ours }) => latency(ours)],
  ["limit p50/p99 ms", ({ limit }) => latency(limit)],
  ["CPU ms/request ours", ({ ours }) => ours.median.cpu.toFixed(2)],
  ["limit", ({ limit }) => limit.median.cpu.toFixed(2)],
  ["bytes", ({ bytes }) => String(bytes)],
  ["SQL/request", ({ statementsPerRequest }) => statementsPerRequest.toFixed(2)],
];

const latency = ({ median }) => `${median.p50.toFixed(1)} / ${median.p99.toFixed(1)}`;

/** @returns {string} a line per case; the first column is text, the others are numbers. */
export function printResults(results) {
  const lines = [COLUMNS.map(([title]) => title), ...results.map((result) => COLUMNS.map(([, show]) => show(result)))];
  const widths = COLUMNS.map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  const pad = (cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]));
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

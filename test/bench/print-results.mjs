// The figures of a run as a table for people.

const COLUMNS = [
  ["case", ({ name }) => name],
  ["conn.", ({ connections }) => String(connections)],
  ["ours req/s", ({ servers }) => rate(servers.ours)],
  ["limit req/s", ({ servers }) => rate(servers.limit)],
  ["ratio", ({ ratio }) => ratio.toFixed(2)],
  ["at least", ({ atLeast }) => atLeast.toFixed(2)],
  ["ours p50/p99 ms", ({ servers }) => latency(servers.ours)],
  ["limit p50/p99 ms", ({ servers }) => latency(servers.limit)],
  ["CPU ms ours", ({ servers }) => decimals(servers.ours.median.cpu)],
  ["limit", ({ servers }) => decimals(servers.limit.median.cpu)],
  ["PostgreSQL ms ours", ({ servers }) => decimals(servers.ours.median.postgresCpu)],
  ["limit", ({ servers }) => decimals(servers.limit.median.postgresCpu)],
  ["MB ours", ({ servers }) => megabytes(servers.ours)],
  ["limit", ({ servers }) => megabytes(servers.limit)],
  ["bytes", ({ bytes }) => String(bytes)],
  ["SQL", ({ statementsPerRequest }) => decimals(statementsPerRequest)],
  ["under load", ({ servers }) => decimals(servers.ours.median.statements)],
];

const rate = (measured) => (measured ? measured.median.requestsPerSecond.toFixed(0) : "-");
const latency = ({ median }) => `${median.p50.toFixed(1)} / ${median.p99.toFixed(1)}`;
const decimals = (number) => number?.toFixed(2) ?? "-";
const megabytes = ({ rounds }) => (Math.max(...rounds.map(({ memory }) => memory)) / 1e6).toFixed(0);

/** @returns {string} a line per row; the first column is text, the others are numbers. Peers are columns at the end. */
export function printResults(results) {
  const columns = [...COLUMNS, ...peersOf(results).flatMap(peerColumns)];
  return printTable([
    columns.map(([title]) => title),
    ...results.map((result) => columns.map(([, show]) => show(result))),
  ]);
}

/** The names of the servers besides ours and the limit. */
export function peersOf(results) {
  const names = new Set(results.flatMap(({ servers }) => Object.keys(servers)));
  return [...names].filter((name) => name !== "ours" && name !== "limit");
}

/** A server's requests per second as a share of the limit's; undefined where it was not measured. */
export function shareOf({ servers }, name) {
  const measured = servers[name];
  return measured && measured.median.requestsPerSecond / servers.limit.median.requestsPerSecond;
}

const peerColumns = (name) => [
  [`${name} req/s`, ({ servers }) => rate(servers[name])],
  ["ratio", (result) => shareOf(result, name)?.toFixed(3) ?? "-"],
];

/** Lines of cells, the first of titles, in columns. @param {string[][]} lines */
export function printTable(lines) {
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  const pad = (cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]));
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

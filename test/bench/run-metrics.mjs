// What the plugin of metrics costs a read: an app with it and two without on one database, loaded in turns.
import { randomBytes } from "node:crypto";
import { cases } from "./cases.mjs";
import { startChild } from "./child.mjs";
import { measure } from "./measure.mjs";
import { watchPostgres } from "./postgres-use.mjs";
import { printTable } from "./print-results.mjs";
import { createDatabase, runSql } from "./run-sql.mjs";
import { seed } from "./seed.mjs";

const POOL = 10;
/** Processes of the same code differ by some percent, by what V8 made of it: so each is started several times. */
const STARTS = 3;
/** Times the processor time of a read without. */
const AT_MOST = 1.02;
const ROWS = ["list 25", "one, author+categories+seo", "graphql 25, two fields"];
/** `again` is `without` once more: how far it is from 1 is what the machine adds. */
const SERVERS = ["without", "again", "with"];

/**
 * Measures reads of each app.
 *
 * @param {object} options - as of a run.
 * @returns {Promise<object[]>} for each row: `times` of `with` and `again`, the median of the quotients of all rounds;
 *   their quartiles, and the processor time of a read in milliseconds without and with.
 */
export async function runMetrics(options) {
  const { database, drop } = await createDatabase(options.server, "metrics");
  const app = { database, pool: POOL, token: randomBytes(24).toString("hex") };
  try {
    const seeded = await fill(app, options);
    await runSql(database, "vacuum analyze");
    const postgresCpu = await watchPostgres(database);
    let turn = 0;
    const chosen = cases.filter(({ name }) => ROWS.includes(name));
    const rows = chosen.map((row) => ({ ...row, nextTurn: () => ++turn, figures: [] }));
    for (let start = 1; start <= STARTS; start += 1)
      await measureStart(rows, { ...options, app, seeded, postgresCpu, start });
    return rows.map(resultOf);
  } finally {
    await drop();
  }
}

async function fill(app, options) {
  const writer = await startApp("writer", app);
  return seed({ ...options, server: writer }).finally(writer.stop);
}

async function startApp(name, app) {
  const child = startChild(new URL("./our-server.mjs", import.meta.url));
  const url = await child.ask("start", {
    ...app,
    shareReads: false,
    plugins: name === "with" ? ["@plinth/plugin-metrics"] : [],
  });
  return { ...child, name, token: app.token, url };
}

async function measureStart(rows, { app, seeded, start, connections, say, ...options }) {
  const servers = [];
  try {
    for (const name of SERVERS) servers.push(await startApp(name, app));
    const places = servers.map((server) => ({ server, seeded }));
    for (const row of rows) {
      say(`start ${start} of ${STARTS}: "${row.name}"`);
      row.figures.push(await measure(places, row, { ...options, connections: connections[0] }));
    }
  } finally {
    for (const { stop } of servers) await stop();
  }
}

function resultOf({ name, figures }) {
  const cpu = (server) => figures.flatMap((measured) => measured[server].rounds.map((round) => round.cpu));
  const without = cpu("without");
  const quotients = (server) => cpu(server).map((value, index) => value / without[index]);
  const spread = (server) => [0.25, 0.5, 0.75].map((share) => quantile(quotients(server), share));
  const [, times] = spread("with");
  return { name, times, with: spread("with"), again: spread("again"), milliseconds: quantile(without, 0.5) };
}

function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)];
}

/** A line per row. */
export function printMetrics(results) {
  const shown = ([low, middle, high]) => `${middle.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
  return printTable([
    ["case", "CPU ms without", "times with", "times without, again"],
    ...results.map((row) => [row.name, row.milliseconds.toFixed(3), shown(row.with), shown(row.again)]),
  ]);
}

/** @returns {string[]} what costs too much; empty when all is well. */
export function judgeMetrics(results) {
  return results
    .filter(({ times }) => times > AT_MOST)
    .map(({ name, times }) => `"${name}" takes ${times.toFixed(3)} times the CPU with metrics; ${AT_MOST} at most`);
}

// What plugins cost: our server with them and two without, each on a database of its own, loaded in turns.
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
/** `again` is `without` once more: how far it is from 1 is what the machine adds. */
const SERVERS = ["without", "again", "with"];
const ROWS = ["list 25", "one, author+categories+seo", "graphql 25, two fields", "create", "update two fields"];

/** What a request costs: reads the processor of node, which moves least; writes time under load, for the database does the work. */
const COSTS = { read: "cpu", graphql: "cpu", create: "time", update: "time" };
/** Times the cost without, by what it is. */
const AT_MOST = { cpu: 1.02, time: 1.11 };
const COST_OF = { cpu: ({ cpu }) => cpu, time: ({ requestsPerSecond }) => 1000 / requestsPerSecond };

/**
 * Measures reads, a create and an update without and with plugins.
 *
 * @param {object} options - as of a run; of its own:
 * @param {string[][]} options.with - packages: those of a list together, the lists one after the other.
 * @returns {Promise<object[]>} a row for each list and request: `plugins`, `name`, `cost` ("cpu" or "time"), `times`, the
 *   median of the quotients of all rounds; quartiles of those, `with` and `again`; `medians` of the figures of all rounds.
 */
export async function runWith(options) {
  const results = [];
  for (const plugins of options.with) results.push(...(await measurePlugins(plugins, options)));
  return results;
}

async function measurePlugins(plugins, options) {
  const { server, only = "", short, say } = options;
  const cleanUps = [];
  try {
    const places = [];
    for (const name of SERVERS) places.push(await fillPlace(name, name === "with" ? plugins : [], options, cleanUps));
    const postgresCpu = await watchPostgres(server);
    let turn = 0;
    const chosen = cases.filter(({ name }) => ROWS.includes(name) && name.includes(only));
    const rows = chosen.map((row) => ({ ...row, nextTurn: () => ++turn, figures: [] }));
    const starts = short ? 1 : STARTS;
    for (let start = 1; start <= starts; start += 1) {
      say(`without and with ${plugins.join(", ")}: start ${start} of ${starts}`);
      await measureStart(rows, places, { ...options, postgresCpu });
    }
    return rows.map((row) => resultOf(row, plugins));
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

/** A database with the same articles as the others, written with the plugins that are measured on it. */
async function fillPlace(name, plugins, options, cleanUps) {
  const { database, drop } = await createDatabase(options.server, name);
  cleanUps.push(drop);
  const app = { database, plugins, pool: POOL, token: randomBytes(24).toString("hex"), shareReads: false };
  const server = await startApp(name, app);
  const seeded = await seed({ ...options, server }).finally(server.stop);
  // What a database does by itself some minutes later, and would else do in the middle of a round.
  await runSql(database, "vacuum analyze");
  return { name, app, seeded };
}

async function startApp(name, app) {
  const child = startChild(new URL("./our-server.mjs", import.meta.url));
  const url = await child.ask("start", app);
  return { ...child, name, token: app.token, url };
}

async function measureStart(rows, places, { connections, say, ...options }) {
  const started = [];
  try {
    for (const { name, app, seeded } of places) started.push({ server: await startApp(name, app), seeded });
    for (const row of rows) {
      say(`measuring "${row.name}"`);
      row.figures.push(await measure(started, row, { ...options, connections: connections[0] }));
    }
  } finally {
    for (const { server } of started) await server.stop();
  }
}

function resultOf({ name, kind, figures }, plugins) {
  const cost = COSTS[kind];
  const rounds = (server) => figures.flatMap((measured) => measured[server].rounds);
  const without = rounds("without").map(COST_OF[cost]);
  const spread = (server) => {
    const quotients = rounds(server).map((round, index) => COST_OF[cost](round) / without[index]);
    return [0.25, 0.5, 0.75].map((share) => quantile(quotients, share));
  };
  const median = (server, figure) =>
    quantile(
      rounds(server).map((round) => round[figure]),
      0.5,
    );
  const medians = Object.fromEntries(
    ["requestsPerSecond", "cpu", "postgresCpu", "statements"].map((figure) => [
      figure,
      { without: median("without", figure), with: median("with", figure) },
    ]),
  );
  const [, times] = spread("with");
  return { plugins, name, cost, times, with: spread("with"), again: spread("again"), medians };
}

function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)];
}

/** A line per list of plugins and request. */
export function printWith(results) {
  const quartiles = ([low, middle, high]) => `${middle.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
  const both = (figures, digits) => `${shown(figures.without, digits)} / ${shown(figures.with, digits)}`;
  const shown = (number, digits) => number?.toFixed(digits) ?? "-";
  const titles = ["req/s without / with", "CPU ms", "PostgreSQL ms", "SQL", "of", "times with", "times without, again"];
  return printTable([
    ["plugins", "request", ...titles],
    ...results.map(({ plugins, name, cost, medians, ...spread }) => [
      plugins.join(","),
      name,
      both(medians.requestsPerSecond, 0),
      both(medians.cpu, 3),
      both(medians.postgresCpu, 3),
      both(medians.statements, 1),
      cost,
      quartiles(spread.with),
      quartiles(spread.again),
    ]),
  ]);
}

/** @returns {string[]} what costs too much; empty when all is well. */
export function judgeWith(results) {
  return results
    .filter(({ cost, times }) => times > AT_MOST[cost])
    .map(
      ({ plugins, name, cost, times }) =>
        `"${name}" takes ${times.toFixed(3)} times the ${cost} with ${plugins.join(", ")}; ${AT_MOST[cost]} at most`,
    );
}

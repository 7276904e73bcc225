// What a plugin costs: our server with it and without it, each on a database of its own, loaded in turns.
import { randomBytes } from "node:crypto";
import { cases } from "./cases.mjs";
import { startChild } from "./child.mjs";
import { measure } from "./measure.mjs";
import { watchPostgres } from "./postgres-use.mjs";
import { printTable } from "./print-results.mjs";
import { createDatabase, runSql } from "./run-sql.mjs";
import { seed } from "./seed.mjs";

const POOL = 10;
const ROWS = ["list 25", "create", "update two fields"];

/** Requests per second with a plugin, as a share of those without; reads within what one measurement differs from the next. */
const AT_LEAST = { read: 0.97, create: 0.9, update: 0.9 };

/**
 * Measures a read, a create and an update without and with each plugin.
 *
 * @param {object} options - as of a run; of its own:
 * @param {string[]} options.plugins - packages.
 * @returns {Promise<object[]>} a row for each plugin and request: `plugin`, `name`, `kind`, `ratio`, and the figures of both.
 */
export async function runPlugins(options) {
  const results = [];
  for (const plugin of options.plugins) results.push(...(await measurePlugin(plugin, options)));
  return results;
}

async function measurePlugin(plugin, options) {
  const cleanUps = [];
  try {
    const places = [
      await openPlace("without", [], options, cleanUps),
      await openPlace("with", [plugin], options, cleanUps),
    ];
    const postgresCpu = await watchPostgres(options.server);
    let turn = 0;
    const nextTurn = () => ++turn;
    const results = [];
    for (const row of cases.filter(({ name }) => ROWS.includes(name) && name.includes(options.only ?? ""))) {
      options.say(`measuring "${row.name}" without and with ${plugin}`);
      const measuring = { ...options, connections: options.connections[0], postgresCpu };
      const servers = await measure(places, { ...row, nextTurn }, measuring);
      const ratio = servers.with.median.requestsPerSecond / servers.without.median.requestsPerSecond;
      results.push({ plugin, name: row.name, kind: row.kind, ratio, servers });
    }
    return results;
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

async function openPlace(name, plugins, options, cleanUps) {
  const { database, drop } = await createDatabase(options.server, name);
  cleanUps.push(drop);
  const child = startChild(new URL("./our-server.mjs", import.meta.url));
  cleanUps.push(child.stop);
  const token = randomBytes(24).toString("hex");
  const url = await child.ask("start", { database, pool: POOL, token, shareReads: false, plugins });
  const server = { ...child, name, url, token };
  const seeded = await seed({ ...options, server });
  // What a database does by itself some minutes later, and would else do in the middle of a round.
  await runSql(database, "vacuum analyze");
  return { server, seeded };
}

/** A line per plugin and request. */
export function printPlugins(results) {
  const two = ({ servers }, show) => `${show(servers.without.median)} / ${show(servers.with.median)}`;
  return printTable([
    ["plugin", "request", "req/s without / with", "ratio", "p50 ms", "CPU ms", "PostgreSQL ms", "SQL"],
    ...results.map((result) => [
      result.plugin,
      result.name,
      two(result, ({ requestsPerSecond }) => requestsPerSecond.toFixed(0)),
      result.ratio.toFixed(3),
      two(result, ({ p50 }) => p50.toFixed(2)),
      two(result, ({ cpu }) => cpu?.toFixed(2) ?? "-"),
      two(result, ({ postgresCpu }) => postgresCpu?.toFixed(2) ?? "-"),
      two(result, ({ statements }) => statements?.toFixed(1) ?? "-"),
    ]),
  ]);
}

/** @returns {string[]} what costs too much; empty when all is well. */
export function judgePlugins(results) {
  return results
    .filter(({ kind, ratio }) => ratio < AT_LEAST[kind])
    .map(
      ({ plugin, name, kind, ratio }) =>
        `"${name}" with ${plugin}: ${ratio.toFixed(3)} of without, not ${AT_LEAST[kind]}`,
    );
}

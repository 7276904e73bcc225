// One run of the benchmark: a database, content, the servers, every row.
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cases } from "./cases.mjs";
import { startChild } from "./child.mjs";
import { compareBodies } from "./compare-bodies.mjs";
import { ownAnswer, plainAnswer, SETTINGS } from "./limit/answers.mjs";
import { copyContent } from "./limit/copy-content.mjs";
import { asking, load, measure } from "./measure.mjs";
import { startPostgraphile } from "./postgraphile/start.mjs";
import { watchPostgres } from "./postgres-use.mjs";
import { ask } from "./request.mjs";
import { createDatabase, runSql, withClient } from "./run-sql.mjs";
import { seed } from "./seed.mjs";

/** Of each pool. */
const POOL = 10;
const POSTGRAPHILE = fileURLToPath(new URL("./results/postgraphile", import.meta.url));
const COUNTED_REQUESTS = 20;

/**
 * @typedef {import("./cases.mjs").BenchCase & { nextTurn: () => number }} Row
 * @typedef {{ name: string, url: string, token: string }} Peer - a server that speaks the API and has the corpus
 *   app's content-types; an empty one is filled.
 */

/**
 * Measures every row against the limit, in a database of its own that is gone afterwards.
 *
 * @param {object} options
 * @param {string} options.server - URL of a PostgreSQL server on which a database may be made.
 * @param {number} options.articles
 * @param {number} options.rounds
 * @param {number} options.seconds - of load on one server in one round.
 * @param {number} options.warmUp - requests to each server before the rounds: V8 optimises by how often code ran, and a
 *   slow machine would be measured before it has.
 * @param {number[]} options.connections - of the load; every row is measured with each.
 * @param {"plain" | "own"} options.limit - the best statement on plain tables, or our own (reads only).
 * @param {boolean} [options.apart] - every read of ours is a statement of its own, also where they are alike.
 * @param {string} [options.only] - a part of the names of the rows that are measured.
 * @param {readonly string[]} [options.names] - of the rows that are measured.
 * @param {Peer[]} options.peers
 * @param {boolean} [options.postgraphile] - PostGraphile is a peer as well, where it has the like of a row.
 * @param {string} [options.profiles] - folder for a CPU profile of our server under each row, taken after its rounds.
 * @param {(line: string) => void} options.say
 * @param {AbortSignal} options.signal - ends the run early; it rejects then.
 * @returns {Promise<object[]>} the figures of each row with each number of connections.
 */
export async function runBench(options) {
  const cleanUps = [];
  try {
    const { database, drop } = await createDatabase(options.server);
    cleanUps.push(drop);
    const start = async (file, config) => {
      const child = startChild(new URL(file, import.meta.url));
      cleanUps.push(child.stop);
      return { ...child, url: await child.ask("start", { database, pool: POOL, ...config }) };
    };
    return await measureRows(options, { database, start });
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

async function measureRows(options, { database, start }) {
  const token = randomBytes(24).toString("hex");
  const ours = { name: "ours", token, ...(await start("./our-server.mjs", { token, shareReads: !options.apart })) };
  const seeded = await seed({ ...options, server: ours });
  const rows = await chooseRows(ours, seeded, options);
  const limit = { name: "limit", token, ...(await startLimit({ database, start, rows, ours, seeded }, options)) };
  // What a database does by itself some minutes later, and would else do in the middle of a round.
  await runSql(database, "vacuum analyze");
  const peers = await fillPeers(options);
  if (options.postgraphile)
    peers.push(await startPostgraphile({ database, start, folder: POSTGRAPHILE, say: options.say }));
  const places = [{ server: ours, seeded }, { server: limit, seeded }, ...peers];
  const measuring = { ...options, places, postgresCpu: await watchPostgres(database) };
  const results = [];
  // Writes come last: after them the content of one server is no longer that of the other.
  for (const row of rows) {
    for (const connections of options.connections) {
      options.say(`measuring "${row.name}" with ${connections} connections`);
      results.push(await measureRow(row, { ...measuring, connections }));
    }
  }
  return results;
}

async function chooseRows(ours, seeded, { only = "", names, limit, say }) {
  let turn = 0;
  const nextTurn = () => ++turn;
  const rows = cases
    .filter(({ name }) => name.includes(only) && (names?.includes(name) ?? true))
    .filter(({ kind }) => limit === "plain" || kind === "read" || kind === "graphql")
    .map((row) => ({ ...row, nextTurn, ...(limit === "own" ? { isAlike: true, ask: (ids) => row.ask(ids, 0) } : {}) }));
  const chosen = [];
  for (const row of rows) {
    if (row.kind !== "graphql" || (await offers(ours, row, seeded))) chosen.push(row);
    else say(`"${row.name}" is left out: the app has no GraphQL`);
  }
  if (chosen.length === 0) throw new Error(`no row has "${only}" in its name`);
  return chosen;
}

async function startLimit({ database, start, rows, ours, seeded }, { limit }) {
  if (limit === "own") {
    const answers = [];
    for (const row of rows) answers.push(await ownAnswer(row, seeded, ours));
    return start("./limit/server.mjs", { settings: await ours.ask("sessionSettings"), answers });
  }
  await withClient(database, (client) => copyContent(client, ours));
  return start("./limit/server.mjs", { settings: SETTINGS, answers: rows.map((row) => plainAnswer(row, seeded)) });
}

async function fillPeers(options) {
  const places = [];
  for (const peer of options.peers) {
    const server = { ...peer, isPeer: true };
    places.push({ server, seeded: await seed({ ...options, server }) });
  }
  return places;
}

async function measureRow(row, options) {
  const [ours, limit, ...peers] = options.places;
  const bytes = await compareBodies(row, { ours: ours.server, limit: limit.server }, ours.seeded);
  const places = [ours, limit];
  for (const peer of peers) if (await offers(peer.server, asking(peer.server, row), peer.seeded)) places.push(peer);
  const servers = await measure(places, row, options);
  const statementsPerRequest = await countStatements(ours, row);
  if (options.profiles) await profileRow(ours, row, options);
  const { name, kind, atLeast, sameAs, isAlike } = row;
  const ratio = servers.ours.median.requestsPerSecond / servers.limit.median.requestsPerSecond;
  const { connections } = options;
  return { name, kind, atLeast, sameAs, isAlike, connections, ratio, bytes, statementsPerRequest, servers };
}

/** Whether a server answers a row at all: not every one has GraphQL. What was written for one has to be answered. */
async function offers(server, row, seeded) {
  if (!row) return false;
  return ask(server, row, row.ask(seeded, row.nextTurn())).then(
    () => true,
    (error) => {
      if (server.inPlaceOf) throw error;
      return false;
    },
  );
}

/** Statements per request of our server, everything it sends counted, over a number of requests in a row. */
async function countStatements({ server, seeded }, row) {
  const before = await server.ask("statementCount");
  for (let i = 0; i < COUNTED_REQUESTS; i += 1) await ask(server, row, row.ask(seeded, row.nextTurn()));
  return ((await server.ask("statementCount")) - before) / COUNTED_REQUESTS;
}

async function profileRow(ours, row, options) {
  mkdirSync(options.profiles, { recursive: true });
  await ours.server.ask("profile");
  await load(ours, row, options);
  await ours.server.ask("writeProfile", join(options.profiles, `${row.name.replace(/[^a-z0-9]+/gi, "-")}.cpuprofile`));
}

// How an app starts and answers as its content-types become many: one app of few types and one of many.
import { randomBytes } from "node:crypto";
import { startChild } from "./child.mjs";
import { measure } from "./measure.mjs";
import { watchPostgres } from "./postgres-use.mjs";
import { printTable } from "./print-results.mjs";
import { ask } from "./request.mjs";
import { createDatabase } from "./run-sql.mjs";
import { nameOf, writeTypesApp } from "./write-types-app.mjs";

const POOL = 10;
const ENTRIES = 25;
const STARTS = 3;
const FIRST = {
  name: "list 25",
  kind: "read",
  isAlike: true,
  ask: () => ({ method: "GET", path: `/api/${nameOf(0)}s` }),
};

/** Statements that come with a message of the database, before or after the app has started. */
const BY_CHANCE = 5;

/** What is asked of the app with many types; seconds, megabytes, and how much slower it may answer. */
const AT_MOST = { start: 4, memory: 300, dispatch: 1.05 };

/**
 * Starts and loads an app of few content-types and one of many.
 *
 * @param {object} options - as of a run; of its own:
 * @param {number[]} options.types - two numbers of content-types.
 * @returns {Promise<object[]>} for each app: `types`, `first` and `start` in seconds (tables are made; they are there),
 *   `statements` of a start at which nothing is to be done, `memory` in megabytes after it, and the figures of its load.
 */
export async function runTypes(options) {
  const cleanUps = [];
  try {
    const apps = [];
    for (const types of options.types) apps.push(await startApp(types, options, cleanUps));
    const places = apps.map(({ server }) => ({ server }));
    options.say(`measuring "${FIRST.name}" of each app`);
    const postgresCpu = await watchPostgres(options.server);
    const measured = await measure(places, FIRST, { ...options, connections: options.connections[0], postgresCpu });
    return apps.map(({ server, ...app }) => ({ ...app, load: measured[server.name] }));
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

async function startApp(types, { server, say }, cleanUps) {
  const { root, remove } = writeTypesApp(types);
  cleanUps.push(remove);
  const { database, drop } = await createDatabase(server, `types_${types}`);
  cleanUps.push(drop);
  const config = { database, root, pool: POOL, token: randomBytes(24).toString("hex") };
  const first = await timeStart(config);
  await first.child.stop();
  const starts = [];
  for (let turn = 1; turn <= STARTS; turn += 1) {
    const started = await timeStart({ ...config, shareReads: false });
    starts.push(started);
    if (turn < STARTS) await started.child.stop();
    else cleanUps.push(started.child.stop);
  }
  const { child, url, statements, memory } = starts.at(-1);
  const start = Math.min(...starts.map(({ seconds }) => seconds));
  say(`${types} content-types: ${first.seconds.toFixed(1)} s the first time, then ${start.toFixed(1)} s`);
  const running = { ...child, name: `${types} types`, url, token: config.token };
  await fill(running);
  return { types, first: first.seconds, start, statements, memory: memory / 1e6, server: running };
}

/** From the start of the process to the answer of its first request. */
async function timeStart(config) {
  const since = performance.now();
  const child = startChild(new URL("./our-server.mjs", import.meta.url));
  const url = await child.ask("start", config);
  const statements = await child.ask("statementCount");
  await ask({ url }, FIRST, FIRST.ask());
  const seconds = (performance.now() - since) / 1000;
  const { memory } = await child.ask("use");
  return { child, url, seconds, statements, memory };
}

async function fill(server) {
  const row = { kind: "create" };
  for (let index = 0; index < ENTRIES; index += 1) {
    const body = { data: { field0: `Thing ${index}`, field1: "Some text", field2: index } };
    await ask(server, row, { ...FIRST.ask(), method: "POST", body });
  }
}

/** A line per app. */
export function printTypes(apps) {
  return printTable([
    ["content-types", "first start s", "start s", "SQL at start", "MB", "req/s", "p50/p99 ms"],
    ...apps.map(({ types, first, start, statements, memory, load: { median } }) => [
      String(types),
      first.toFixed(2),
      start.toFixed(2),
      String(statements),
      memory.toFixed(0),
      median.requestsPerSecond.toFixed(0),
      `${median.p50.toFixed(2)} / ${median.p99.toFixed(2)}`,
    ]),
  ]);
}

/** @returns {string[]} what is too much; empty when all is well. */
export function judgeTypes([few, many]) {
  const times = few.load.median.requestsPerSecond / many.load.median.requestsPerSecond;
  return [
    many.start > AT_MOST.start &&
      `${many.types} content-types start in ${many.start.toFixed(1)} s; ${AT_MOST.start} at most`,
    many.memory > AT_MOST.memory && `they take ${many.memory.toFixed(0)} MB; ${AT_MOST.memory} at most`,
    times > AT_MOST.dispatch && `their answers take ${times.toFixed(2)} times as long; ${AT_MOST.dispatch} at most`,
    many.statements > few.statements + BY_CHANCE &&
      `their start takes ${many.statements} statements, and ${few.statements} with ${few.types}`,
  ].filter(Boolean);
}

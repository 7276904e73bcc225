// One run of the benchmark: a database, content, both servers, every case.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { cases } from "./cases.mjs";
import { startChild } from "./child.mjs";
import { load, measure } from "./measure.mjs";
import { checkBodies, countStatements, recordAnswer } from "./prepare-case.mjs";
import { seed } from "./seed.mjs";

/**
 * Measures every case against the limit, in a database of its own that is gone afterwards.
 *
 * @param {object} options
 * @param {string} options.server - URL of a PostgreSQL server on which a database may be made.
 * @param {number} options.articles
 * @param {number} options.rounds
 * @param {number} options.seconds - of load on one server in one round.
 * @param {number} options.connections - of the load, and of each server's pool.
 * @param {string} [options.profiles] - folder for a CPU profile of our server under each case, taken after its rounds.
 * @param {(line: string) => void} options.say
 * @param {AbortSignal} options.signal - ends the run early; it rejects then.
 */
export async function runBench(options) {
  const cleanUps = [];
  try {
    const { database, drop } = await createDatabase(options.server);
    cleanUps.push(drop);
    const start = async (file, config) => {
      const child = startChild(new URL(file, import.meta.url));
      cleanUps.push(child.stop);
      return { ...child, url: await child.ask("start", { database, pool: options.connections, ...config }) };
    };
    return await measureCases(options, { database, start });
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

async function measureCases(options, { database, start }) {
  const { say, signal, articles } = options;
  const token = randomBytes(24).toString("hex");
  const ours = await start("./our-server.mjs", { token });
  const seeded = await seed({ base: ours.url, token, articles, say, signal });
  // What a database does by itself some minutes later, and would else do in the middle of a round.
  await runSql(database, "vacuum analyze");
  const rows = cases.map(({ path, ...rest }) => ({ ...rest, path: path(seeded) }));
  const answers = [];
  for (const row of rows) answers.push(await recordAnswer(ours, row));
  const settings = await ours.ask("sessionSettings");
  const limit = await start("./limit-server.mjs", { settings, answers });
  const results = [];
  for (const row of rows) {
    say(`measuring "${row.name}"`);
    results.push(await measureCase(row, { ours, limit }, options));
  }
  return { results, seedSeconds: seeded.seconds };
}

async function measureCase(row, servers, options) {
  const bytes = await checkBodies(servers, row);
  const figures = await measure(servers, row, options);
  const ratio = figures.ours.median.requestsPerSecond / figures.limit.median.requestsPerSecond;
  const statementsPerRequest = await countStatements(servers.ours, row);
  if (options.profiles) await profileCase(row, servers.ours, options);
  return { ...row, ratio, bytes, statementsPerRequest, ...figures };
}

async function profileCase(row, ours, options) {
  await ours.ask("profile");
  await load(ours, row, options);
  await ours.ask("writeProfile", join(options.profiles, `${row.name.replace(/[^a-z0-9]+/gi, "-")}.cpuprofile`));
}

async function createDatabase(server) {
  const name = `plinth_bench_${process.pid}`;
  await runSql(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { database: url.href, drop: () => runSql(server, `drop database ${name} with (force)`) };
}

async function runSql(connectionString, text) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

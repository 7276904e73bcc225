// How answers slow down as articles become many: two databases, two servers, loaded in turns.
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChild } from "./child.mjs";
import { growContent } from "./grow-content.mjs";
import { measure } from "./measure.mjs";
import { watchPostgres } from "./postgres-use.mjs";
import { printTable } from "./print-results.mjs";
import { ask } from "./request.mjs";
import { createDatabase, runSql, withClient } from "./run-sql.mjs";
import { seed } from "./seed.mjs";

/** Written over REST; all others are copies of these. */
const BASE = 1000;
const POOL = 10;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SCHEMA = "src/api/article/content-types/article/schema.json";
/** Articles that are left behind the place where the deep cursor stands, about. */
const LEFT = 50;
const POPULATED = "populate[0]=author&populate[1]=categories&populate[2]=seo";
const list = (parameters) => () => ({ method: "GET", path: `/api/articles?${parameters}&pagination[pageSize]=25` });

/** What is asked; `atMost`: times the latency that it may have with the greater number of articles. */
const ROWS = [
  { name: "list 25, author+categories+seo", atMost: 1.5, ask: list(POPULATED) },
  { name: "the same, withCount=false", atMost: 1.5, ask: list(`${POPULATED}&pagination[withCount]=false`) },
  { name: "sort views, 25, author+categories+seo", atMost: 1.5, ask: list(`sort=views:desc&${POPULATED}`) },
  { name: "first page by cursor", atMost: 1.5, ask: () => byCursor({ deep: "*" }) },
  { name: "last pages by cursor", atMost: 1.5, ask: byCursor },
  { name: "filter kind, sort views, 25", ask: list("filters[kind][$eq]=news&sort=views:desc") },
  { name: "page 400 by offset", ask: list("pagination[page]=400") },
  {
    name: "one, author+categories+seo",
    atMost: 1.5,
    ask: ({ articleIds }) => ({ method: "GET", path: `/api/articles/${articleIds[500]}?${POPULATED}` }),
  },
].map((row) => ({ ...row, kind: "read", isAlike: true }));

function byCursor({ deep }) {
  return list(`sort=views:desc&${POPULATED}&pagination[cursor]=${encodeURIComponent(deep)}`)();
}

/**
 * Measures every row with two numbers of articles.
 *
 * @param {object} options - as of a run; of its own:
 * @param {number[]} options.scale - two numbers of articles, multiples of 1,000.
 * @returns {Promise<{ name: string, atMost?: number, times: number, servers: object }[]>} `times`: the p50 with many by
 *   the p50 with few.
 */
export async function runScale(options) {
  const cleanUps = [];
  try {
    const places = await preparePlaces(options, cleanUps);
    const postgresCpu = await watchPostgres(options.server);
    const results = [];
    for (const row of ROWS) {
      options.say(`measuring "${row.name}"`);
      // The first answer may count, and what it counted is kept: only those after it are alike.
      for (const place of places) await ask(place.server, row, row.ask(place.seeded));
      const servers = await measure(places, row, { ...options, connections: options.connections[0], postgresCpu });
      const [few, many] = Object.values(servers).map(({ median }) => median.p50);
      results.push({ name: row.name, atMost: row.atMost, times: many / few, servers });
    }
    return results;
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

async function preparePlaces(options, cleanUps) {
  const { server, scale, say } = options;
  const token = randomBytes(24).toString("hex");
  const create = async (...args) => {
    const { database, drop } = await createDatabase(server, ...args);
    cleanUps.push(drop);
    return database;
  };
  const app = writeScaleApp();
  cleanUps.push(app.remove);
  const few = await create("few");
  const writer = await startOurs("writer", { database: few, token, root: app.root });
  const seeded = await seed({ ...options, server: writer, articles: BASE }).finally(writer.stop);
  await grow(few, 1, scale[0] / BASE, options);
  const many = await create("many", few);
  await grow(many, scale[0] / BASE, scale[1] / BASE, options);
  const places = [];
  for (const [database, articles] of [
    [few, scale[0]],
    [many, scale[1]],
  ]) {
    const ours = await startOurs(`${articles} articles`, { database, token, root: app.root });
    cleanUps.push(ours.stop);
    await checkContent(ours, database, articles);
    places.push({ server: ours, seeded: { ...seeded, deep: await deepCursor(ours) } });
  }
  say("the content was read back over REST");
  return places;
}

/** The app of the other rows, whose articles are also read in the order of their views: its schema says so. */
function writeScaleApp() {
  const root = mkdtempSync(join(tmpdir(), "plinth-scale-"));
  cpSync(join(ROOT, "test/apps/corpus"), root, { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"), "junction");
  const schema = JSON.parse(readFileSync(join(root, SCHEMA), "utf8"));
  schema.attributes.views.index = true;
  writeFileSync(join(root, SCHEMA), JSON.stringify(schema));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

async function startOurs(name, app) {
  const child = startChild(new URL("./our-server.mjs", import.meta.url));
  // Each read by itself: where some share a statement, its time shows less.
  const url = await child.ask("start", { ...app, pool: POOL, shareReads: false });
  return { ...child, name, token: app.token, url };
}

/** A place near the end of the list by views. A cursor holds for every selection of a list, so a short one gives it. */
async function deepCursor(ours) {
  const { data } = await read(ours, `sort=views:asc&pagination[start]=${LEFT}&pagination[limit]=1`);
  const { meta } = await read(
    ours,
    `sort=views:desc&filters[views][$lte]=${data[0].views}&pagination[cursor]=*&pagination[pageSize]=1`,
  );
  return meta.pagination.nextCursor;
}

const read = async (ours, parameters) =>
  JSON.parse(await ask(ours, { kind: "read" }, { method: "GET", path: `/api/articles?${parameters}` }));

const grow = (database, from, to, options) =>
  withClient(database, (client) => growContent(client, { ...options, from, to }));

/** What was copied by SQL is there for the API, with what belongs to it. */
async function checkContent(ours, database, articles) {
  const { meta } = await read(ours, "pagination[pageSize]=1");
  const copy = (articles / BASE - 1) | 0;
  const [original] = (await read(ours, `filters[slug][$eq]=article-7&${POPULATED}`)).data;
  const [copied] = (await read(ours, `filters[slug][$eq]=article-7${copy ? `-copy-${copy}` : ""}&${POPULATED}`)).data;
  const shown = ({ author, categories, seo }) => JSON.stringify([author, categories, seo]);
  const [{ links }] = await runSql(database, "select count(*) as links from articles_links");
  if (meta.pagination.total !== articles || !copied || shown(copied) !== shown(original)) {
    throw new Error(
      `${ours.name}: the API shows ${meta.pagination.total}, and not every copy as its original (${links} links)`,
    );
  }
}

/** A line per row. */
export function printScale(results) {
  const names = Object.keys(results[0].servers);
  const latency = ({ median }) => `${median.p50.toFixed(2)} / ${median.p99.toFixed(2)}`;
  return printTable([
    ["case", ...names.flatMap((name) => [`${name} req/s`, "p50/p99 ms"]), "times", "at most"],
    ...results.map(({ name, atMost, times, servers }) => [
      name,
      ...names.flatMap((of) => [servers[of].median.requestsPerSecond.toFixed(0), latency(servers[of])]),
      times.toFixed(2),
      atMost?.toFixed(1) ?? "-",
    ]),
  ]);
}

/** @returns {string[]} what slows down too much; empty when all is well. */
export function judgeScale(results) {
  return results
    .filter(({ times, atMost }) => times > atMost)
    .map(({ name, times, atMost }) => `"${name}" takes ${times.toFixed(2)} times as long with many; ${atMost} at most`);
}

// Counts the files and functions of ours that run for one request, by V8's coverage: `node scripts/journeys.mjs`. A report;
// with `--files`, the files of each journey are named as well.
import { Session } from "node:inspector/promises";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureReady, ROOT } from "./ensure-ready.mjs";
import { obtainPostgres } from "./postgres-server.mjs";

const PROJECT = join(ROOT, "test", "apps", "corpus");
const OURS = /\/(?:core|plugins\/[\w-]+)\/dist\/.+\.js$/;
const WARM_UP = 60;
const TOKEN = "token-of-a-journey";
const FILTERED = "filters[author][name][$startsWith]=A&populate[0]=author&populate[1]=categories";
const QUERY =
  "query { articles(pagination: { pageSize: 5 }) { documentId title author { name } categories { name } } }";

/** Starts the corpus app as it is built, in this process. */
async function startApp(database) {
  const { createPlinth, loadProject } = await import("@plinth/core");
  const project = await loadProject(
    { root: PROJECT, code: PROJECT },
    { variables: process.env, environment: "production" },
  );
  const directory = mkdtempSync(join(tmpdir(), "plinth-journeys-"));
  const plinth = createPlinth({
    ...project,
    pluginConfigs: { ...project.pluginConfigs, upload: { providerOptions: { directory } } },
    config: {
      ...project.config,
      server: { host: "127.0.0.1", port: 0 },
      database: { client: "postgres", connection: database },
      log: { level: "warn" },
      access: { tokens: { [TOKEN]: "all" } },
      permissions: { public: ["api::*.find", "api::*.findOne"] },
    },
  });
  const url = await plinth.start();
  const stop = async () => {
    await plinth.stop();
    rmSync(directory, { recursive: true });
  };
  return { url, stop, statements: () => plinth.app.db.statementCount };
}

/** Sends a request; a failed one ends the report. */
async function send(url, { method = "GET", path, body, headers = {} }) {
  const sent = {
    authorization: `Bearer ${TOKEN}`,
    ...(body ? { "content-type": "application/json" } : {}),
    ...headers,
  };
  const response = await fetch(url + path, { method, headers: sent, ...(body ? { body: JSON.stringify(body) } : {}) });
  const answer = await response.json();
  if (!response.ok || answer.errors) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
}

/** The journeys: what is sent, by turn. */
async function journeysOf(url) {
  const create = async (type, data) =>
    (await send(url, { method: "POST", path: `/api/${type}`, body: { data } })).documentId;
  const author = await create("authors", { name: "Ada" });
  const category = await create("categories", { name: "Science", slug: "science" });
  const article = await create("articles", { title: "One", slug: "one", author, categories: [category] });
  const put = (data) => ({ method: "PUT", path: `/api/articles/${article}`, body: { data } });
  const read = (headers) => () => ({ path: `/api/articles?${FILTERED}`, headers });
  const graphql = (query) => ({ method: "POST", path: "/graphql", body: { query } });
  return {
    "GET, filters and populate": read({ authorization: "" }),
    "GET with Origin": read({ authorization: "", origin: "https://app.example.com" }),
    "GET with a bearer": read({}),
    "GET, values not seen before": (turn) => ({ path: `/api/articles?${FILTERED}&filters[views][$gt]=${turn}` }),
    "PUT that publishes, scalars": (turn) => put({ title: `Title ${turn}`, views: turn }),
    "PUT that publishes, connect": (turn) => put({ title: `Title ${turn}`, categories: { connect: [category] } }),
    "POST, relations": (turn) => ({
      ...{ method: "POST", path: "/api/articles" },
      body: { data: { title: `New ${turn}`, slug: `new-article-${turn}`, author, categories: [category] } },
    }),
    "GraphQL query": () => graphql(QUERY),
    "GraphQL mutation": (turn) =>
      graphql(`mutation { updateArticle(documentId: "${article}", data: { views: ${turn} }) { title } }`),
  };
}

/** What of ours ran since the coverage was taken last. */
async function takeCoverage(session) {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ran = result
    .filter(({ url }) => OURS.test(url))
    .flatMap(({ url, functions }) => functions.map(({ ranges: [range] }) => ({ url, ...range })))
    .filter(({ count }) => count > 0);
  const files = new Map();
  for (const { url, startOffset } of ran) {
    const name = sourceOf(url, startOffset);
    files.set(name, (files.get(name) ?? 0) + 1);
  }
  return {
    names: [...files].map(([name, functions]) => `${name} ${functions}`).sort(),
    figures: {
      files: files.size,
      functions: ran.length,
      calls: ran.reduce((sum, { count }) => sum + count, 0),
    },
  };
}

const readMaps = new Map();

/** The source that a place in a built file comes from: several are bundled in one. */
function sourceOf(url, offset) {
  if (!readMaps.has(url)) readMaps.set(url, readMap(url));
  const { starts, map } = readMaps.get(url);
  const line = starts.findLastIndex((start) => start <= offset);
  const { originalSource } = map.findEntry(line, offset - starts[line]);
  return relative(ROOT, fileURLToPath(new URL(originalSource, url)));
}

function readMap(url) {
  const text = readFileSync(fileURLToPath(url), "utf8");
  const map = new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), "utf8")));
  return { starts: [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)], map };
}

/** One warm request of each journey. */
async function report(app) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const rows = {};
  for (const [name, journey] of Object.entries(await journeysOf(app.url))) {
    for (let turn = 0; turn < WARM_UP; turn += 1) await send(app.url, journey(turn));
    const before = app.statements();
    await takeCoverage(session);
    await send(app.url, journey(WARM_UP));
    const { names, figures } = await takeCoverage(session);
    rows[name] = { ...figures, statements: app.statements() - before };
    if (process.argv.includes("--files")) console.log(`${name}\n${names.map((each) => `  ${each}`).join("\n")}`);
  }
  session.disconnect();
  return rows;
}

await ensureReady();
const postgres = await obtainPostgres();
try {
  const app = await startApp(postgres.url);
  console.table(await report(app).finally(app.stop));
} finally {
  await postgres.stop();
}

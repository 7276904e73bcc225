// Counts the files and functions of ours that run for one request, by V8's coverage: `node scripts/journeys.mjs`. A report;
// with `--files`, the files of each journey are named as well.
import { Session } from "node:inspector/promises";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
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
    .map(({ url, functions }) => ({ url, counts: functions.map(({ ranges }) => ranges[0].count).filter(Boolean) }))
    .filter(({ counts }) => counts.length > 0);
  const names = ran.map(({ url, counts }) => `${url.slice(pathToFileURL(ROOT).href.length + 1)} ${counts.length}`);
  return {
    names: names.sort(),
    figures: {
      files: ran.length,
      functions: ran.reduce((sum, { counts }) => sum + counts.length, 0),
      calls: ran.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count, 0),
    },
  };
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

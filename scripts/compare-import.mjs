// Imports an export of the reference system and compares the answers to recorded requests: node scripts/compare-import.mjs <folder of shared>
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureReady } from "./ensure-ready.mjs";
import { judgeCorpus } from "./judge-corpus.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
// Topics whose requests only read.
const TOPICS = "find,filters,filters-relations,sort,pagination,fields,populate,status-locale,search,graphql-queries";

const shared = resolve(process.argv[2] ?? join(ROOT, "..", "shared"));
const archive = join(shared, "fixtures", "strapi-export.tar.gz");
if (!existsSync(archive)) {
  console.error(`There is no ${archive}; name the folder that holds fixtures/ and conformance/.`);
  process.exit(2);
}
// With this condition the packages are their sources.
const isSource = process.execArgv.includes("--conditions=plinth-source");
if (!isSource) await ensureReady();
const cli = join(ROOT, "core", isSource ? "src/cli/main.ts" : "bin/plinth.mjs");
const { createPlinth, loadProject } = await import("@plinth/core");

const project = makeProject();
let isEqual = false;
try {
  await run(process.execPath, [...process.execArgv, cli, "import", "strapi", archive], project);
  isEqual = await compare();
} finally {
  rmSync(project, { recursive: true, force: true });
}
process.exitCode = isEqual ? 0 : 1;

/** The corpus app without the parts that the export brings: its content-types and what its roles may. */
function makeProject() {
  const root = mkdtempSync(join(tmpdir(), "plinth-compare-"));
  cpSync(join(ROOT, "test", "apps", "corpus"), root, { recursive: true });
  for (const brought of ["src", "config/permissions.json"]) rmSync(join(root, brought), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"), "junction");
  return root;
}

async function compare() {
  const plinth = createPlinth(await loadSetup());
  const base = await plinth.start();
  try {
    const before = await lastWrite(plinth);
    await replay(base, plinth, ["--seed-only"]);
    const after = await lastWrite(plinth);
    if (after !== before) console.error(`The content is not all there: seeding wrote something at ${after}.`);
    const report = await replay(base, plinth, ["--only", TOPICS, "--no-quirks"]);
    const isPassed = judge(report);
    return isPassed && after === before;
  } finally {
    await plinth.stop();
  }
}

async function loadSetup() {
  const setup = await loadProject(
    { root: project, code: project },
    { variables: process.env, environment: "production" },
  );
  const server = { host: "127.0.0.1", port: 0 };
  return { ...setup, config: { ...setup.config, server, log: { level: "warn" } } };
}

/** When content was written last. */
async function lastWrite({ app }) {
  const tables = [...app.model.contentTypes.values()].filter(({ uid }) => uid.startsWith("api::"));
  const times = tables.map(({ table }) => `select max(updated_at) as at, count(*) as rows from "${table}"`);
  const [row] = await app.db.query({
    text: `select max(at)::text || ' with ' || sum(rows) || ' rows' as last from (${times.join(" union all ")}) t`,
    values: [],
  });
  return row.last;
}

async function replay(base, { app }, options) {
  const service = app.plugin("api-tokens").service("tokens");
  const suffix = String(Date.now());
  const full = await service.create({ name: `full ${suffix}`, type: "full-access" });
  const readonly = await service.create({ name: `readonly ${suffix}`, type: "read-only" });
  const custom = await service.create({
    name: `custom ${suffix}`,
    type: "custom",
    permissions: ["api::category.category.find"],
  });
  const tokens = `full=${full.accessKey},readonly=${readonly.accessKey},custom=${custom.accessKey}`;
  const json = join(project, "report.json");
  writeFileSync(json, "null");
  const args = [join(shared, "conformance", "run.mjs"), "--base", base, "--tokens", tokens, "--json", json, ...options];
  await run(process.execPath, args, project, [0, 1]);
  return JSON.parse(readFileSync(json, "utf8"));
}

function judge(report) {
  const listed = JSON.parse(readFileSync(join(ROOT, "scripts", "corpus-contradictions.json"), "utf8"));
  const { contradicted, problems } = judgeCorpus(report, listed, true);
  for (const problem of problems) console.error(problem);
  console.log(
    `${report.total.pass} answers as recorded, ${contradicted.length} as the specification says, ${problems.length} otherwise`,
  );
  return problems.length === 0;
}

async function run(command, args, cwd, good = [0]) {
  const child = spawn(command, args, { cwd, stdio: "inherit" });
  const code = await new Promise((done) => child.once("exit", done));
  if (!good.includes(code)) throw new Error(`${args[0]} ended with ${code}`);
}

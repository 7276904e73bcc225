// Serves test/apps/corpus, empty, for the conformance corpus: npm run corpus:serve -- --port N --database pglite|postgres://...
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureReady } from "./ensure-ready.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PROJECT = join(ROOT, "test", "apps", "corpus");

const { values } = parseArgs({
  options: { port: { type: "string", default: "1337" }, database: { type: "string", default: "pglite" } },
});
if (!process.execArgv.includes("--conditions=plinth-source")) await ensureReady();
// The package exists once the clone is ready; with the condition above, it is its sources.
const { connectDatabase, createPlinth, loadProject } = await import("@plinth/core");

const project = await loadProject(
  { root: PROJECT, code: PROJECT },
  { variables: process.env, environment: "production" },
);
// Files are as new as the database is.
const directory = mkdtempSync(join(tmpdir(), "plinth-corpus-files-"));
const plinth = createPlinth({
  ...project,
  pluginConfigs: { ...project.pluginConfigs, upload: { providerOptions: { directory } } },
  config: {
    ...project.config,
    server: { host: "127.0.0.1", port: Number(values.port) },
    database: databaseOf(values.database),
    log: { level: "warn" },
  },
});

await empty(values.database);
const url = await plinth.start();
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
console.log(`ready ${url} ${(await createTokens()).join(" ")}`);

function databaseOf(database) {
  if (database === "pglite") return { client: "pglite", directory: ":memory:" };
  return { client: "postgres", connection: database };
}

/** The tokens of the corpus app's personas, as `name=key`. */
async function createTokens() {
  const tokens = plinth.app.plugin("api-tokens").service("tokens");
  const personas = {
    full: { type: "full-access" },
    readonly: { type: "read-only" },
    custom: { type: "custom", permissions: ["api::category.category.find"] },
    expired: { type: "full-access", expiresAt: "2020-01-01T00:00:00.000Z" },
  };
  const keys = [];
  for (const [name, values] of Object.entries(personas)) {
    const { accessKey } = await tokens.create({ name, ...values });
    keys.push(`${name}=${accessKey}`);
  }
  return keys;
}

/** A PostgreSQL database starts without the tables of an earlier run; the embedded one is new anyway. */
async function empty(database) {
  if (database === "pglite") return;
  const db = await connectDatabase(databaseOf(database));
  const [{ schema }] = await db.query({ text: "select current_schema() as schema", values: [] });
  await db.query({ text: `drop schema ${schema} cascade`, values: [] });
  await db.query({ text: `create schema ${schema}`, values: [] });
  await db.close();
}

async function stop() {
  await plinth.stop();
  rmSync(directory, { recursive: true });
}

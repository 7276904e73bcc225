// Serves test/apps/corpus, empty, for the conformance corpus: npm run corpus:serve -- --port N --database pglite|postgres://...
import { randomBytes } from "node:crypto";
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

const tokens = Object.fromEntries(
  ["full", "readonly", "custom", "expired"].map((name) => [name, randomBytes(24).toString("hex")]),
);
const project = await loadProject(
  { root: PROJECT, code: PROJECT },
  { variables: process.env, environment: "production" },
);
const plinth = createPlinth({
  ...project,
  config: {
    ...project.config,
    server: { host: "127.0.0.1", port: Number(values.port) },
    database: databaseOf(values.database),
    log: { level: "warn" },
    access: accessFor(tokens),
  },
});

await empty(values.database);
const url = await plinth.start();
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
console.log(
  `ready ${url} ${Object.entries(tokens)
    .map((entry) => entry.join("="))
    .join(" ")}`,
);

function databaseOf(database) {
  if (database === "pglite") return { client: "pglite", directory: ":memory:" };
  return { client: "postgres", connection: database };
}

/** The personas of the corpus app, as far as there are strategies for them. */
function accessFor({ full, readonly, custom }) {
  const reading = ["article", "category"].flatMap((name) => [
    `api::${name}.${name}.find`,
    `api::${name}.${name}.findOne`,
  ]);
  return {
    public: [...reading, "api::global.global.find", "api::homepage.homepage.find"],
    tokens: { [full]: "all", [readonly]: "read", [custom]: ["api::category.category.find"] },
  };
}

/** A PostgreSQL database starts without the tables of an earlier run; the embedded one is new anyway. */
async function empty(database) {
  if (database === "pglite") return;
  const db = await connectDatabase(databaseOf(database));
  await db.query({ text: "drop schema public cascade", values: [] });
  await db.query({ text: "create schema public", values: [] });
  await db.close();
}

async function stop() {
  await plinth.stop();
}

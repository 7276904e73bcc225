import { join } from "node:path";
import { createPlinth, loadProject, type PlinthApp } from "@plinth/core";
import { pino } from "pino";
import { declareProject } from "#core/cli/inspect.js";
import { codeFormOf, loadSetup } from "#core/cli/load-setup.js";
import type { ExportLimits } from "#plugins/import-strapi/src/source/export-limits.js";
import { type ImportReport, runImport } from "#plugins/import-strapi/src/run-import.js";
import type { TestDatabase } from "../../databases.js";
import { writeProject } from "../../projects.js";
import { TOKEN } from "./export-content.js";

const PLUGINS = {
  "content-api": { resolve: "@plinth/plugin-content-api" },
  "api-tokens": {
    resolve: "@plinth/plugin-api-tokens",
    config: { salt: TOKEN.salt, adminSecret: "signs the sessions of a test" },
  },
  "import-strapi": { resolve: "@plinth/plugin-import-strapi" },
  upload: { resolve: "@plinth/plugin-upload" },
  events: { resolve: "@plinth/plugin-events" },
  jobs: { resolve: "@plinth/plugin-jobs", config: { work: false } },
  webhooks: { resolve: "@plinth/plugin-webhooks" },
  i18n: { resolve: "@plinth/plugin-i18n" },
  "users-permissions": {
    resolve: "@plinth/plugin-users-permissions",
    config: { jwtSecret: "signs the tokens of users of a test" },
  },
};

/** The name of the file that the bootstrap of a project leaves. */
export const BOOTSTRAPPED = "bootstrapped";
const BOOTSTRAP = `import { writeFileSync } from "node:fs";
export default { bootstrap: ({ app }) => writeFileSync(app.root + "/${BOOTSTRAPPED}", "") };`;

/** What webhooks need. */
export const WEBHOOKS: readonly string[] = ["events", "jobs", "webhooks"];

/** A project without content-types whose database outlives its runs; plugins can be left out. */
export function emptyProject(database?: TestDatabase, without: readonly string[] = WEBHOOKS): string {
  const plugins = Object.fromEntries(Object.entries(PLUGINS).filter(([name]) => !without.includes(name)));
  const config = database?.config() ?? { client: "pglite", directory: ".plinth/data" };
  const kept = config.client === "pglite" ? { client: "pglite", directory: ".plinth/data" } : config;
  return writeProject({
    "config/plugins.json": JSON.stringify(plugins),
    "config/database.json": JSON.stringify(kept),
    "config/log.json": JSON.stringify({ level: "silent" }),
    "src/index.ts": BOOTSTRAP,
  });
}

/** Imports into a project, and gives the report. */
export async function importInto(
  root: string,
  source: string,
  isDryRun = false,
  limits?: ExportLimits,
): Promise<ImportReport> {
  const project = declareProject(await loadSetup(root, codeFormOf(root), { ...process.env }));
  return runImport({ project, source, isDryRun, ...(limits ? { limits } : {}), say: () => undefined });
}

/** A project that is served for the time of some work. */
export async function whileServed<T>(
  root: string,
  work: (served: { readonly url: string; readonly plinth: PlinthApp }) => Promise<T>,
): Promise<T> {
  const setup = await loadProject({ root, code: root }, { variables: {}, environment: "test" });
  const config = { ...setup.config, server: { host: "127.0.0.1", port: 0 } };
  const plinth = createPlinth({ ...setup, config, log: pino({ level: "silent" }) });
  const url = await plinth.start();
  try {
    return await work({ url: url ?? "", plinth });
  } finally {
    await plinth.stop();
  }
}

/** All rows of all tables of a project's content, as text, to compare what two runs left. */
export function readRows(root: string): Promise<string> {
  return whileServed(root, async ({ plinth }) => {
    const tables = [...plinth.app.model.contentTypes.values()].map(({ table }) => table);
    const found = await plinth.app.db.query<{ name: string }>({
      text: "select tablename as name from pg_tables where schemaname = current_schema() and tablename like '%\\_links'",
      values: [],
    });
    const names = [...tables, ...found.map(({ name }) => name)].filter((name) => name !== "up_sessions").sort();
    const rows: string[] = [];
    for (const name of names) {
      const text = `select coalesce(string_agg(t::text, chr(10) order by t::text), '') as rows from "${name}" t`;
      const [row] = await plinth.app.db.query<{ rows: string }>({ text, values: [] });
      rows.push(`${name}\n${row?.rows}`);
    }
    return rows.join("\n");
  });
}

/** Where uploaded files of a project are. */
export const uploadsOf = (root: string): string => join(root, ".plinth", "uploads");

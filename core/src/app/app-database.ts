import { isAbsolute, join } from "node:path";
import type { Logger } from "pino";
import { assertDistributed } from "../database/driver/citus-schema.js";
import { connectDatabase, type DatabaseConfig } from "../database/driver/connect.js";
import type { Database, DatabaseLog } from "../database/driver/database.js";
import type { Layout } from "../database/layout/layout.js";
import { createModels, type ModelOf } from "../database/models/create-models.js";
import { type Migration, type MigrationSteps, runMigrations } from "../database/sync/migrations.js";
import { parseOptions } from "../base/options/parse-options.js";
import type { BackgroundIndexes } from "../database/sync/background-indexes.js";
import { isEarlierModel } from "../database/sync/model-history.js";
import { schemaConfig, type SyncMode } from "../database/sync/sync-rules.js";
import { AppConfigError } from "./errors.js";
import { type AppliedSync, syncDatabase, type SyncOptions } from "../database/sync/sync-database.js";
import type { ContentModel } from "../schema/model.js";
import type { AppSetup } from "./app-setup.js";
import { importFile, listModules } from "./project/read-module.js";

/** The database as an app's own code sees it. */
export interface AppDatabase extends Database {
  /** The Objection model of a content-type: `app.db.model("api::article.article").query()`. Writes through it skip document hooks. */
  readonly model: ModelOf;
}

/** The embedded database in `.plinth/data` of the project: what an app uses that configures none. */
const EMBEDDED: DatabaseConfig = { client: "pglite", directory: ".plinth/data" };

/** The database configuration of an app; relative directories start from its folder. */
export function databaseConfigOf({ root, config }: Pick<AppSetup, "root" | "config">): DatabaseConfig {
  const given = (config?.["database"] ?? EMBEDDED) as DatabaseConfig;
  if (given.client !== "pglite" || given.directory === ":memory:" || isAbsolute(given.directory)) return given;
  return { ...given, directory: join(root, given.directory) };
}

/** What happens while a database is opened. */
export interface OpeningSteps {
  readonly log: DatabaseLog & Pick<Logger, "info">;
  /** Called as soon as there is a connection to close, so that it is closed if a later step fails. */
  readonly opened: (db: AppDatabase) => void;
  /** Awaited between the migrations that prepare content and the synchronisation. */
  readonly beforeSync: (db: Database) => Promise<void>;
  /** Called with the changes of the tables, once they are committed. */
  readonly applied: (sync: AppliedSync) => void;
  /** Called with the indexes that are made while the app serves. */
  readonly goesOn: (work: BackgroundIndexes) => void;
}

/**
 * Connects, runs the app's migrations, and updates the tables to the content model.
 *
 * @throws PLINTH_DATABASE_*, PLINTH_SCHEMA_DESTRUCTIVE, PLINTH_MIGRATION_*
 */
export async function openDatabase(
  setup: AppSetup,
  model: ContentModel,
  { log, opened, beforeSync, applied, goesOn }: OpeningSteps,
): Promise<{ readonly db: AppDatabase; readonly layout: Layout }> {
  const config = databaseConfigOf(setup);
  const database = await (setup.connect ?? connectDatabase)(config, log);
  let models: ModelOf | undefined;
  const db = Object.assign(database, { model: ((uid) => (models as ModelOf)(uid)) as ModelOf });
  opened(db);
  await assertDistributed(db, log, config.client === "postgres" && config.engine === "citus");
  const isProduction = setup.environment === "production";
  const layout = await bringInStep(db, setup, model, {
    ...lossRulesOf(setup),
    mayRewrite: setup.environment !== "production" || db.kind === "pglite",
    beforeSync: () => beforeSync(db),
    applied: (sync) => {
      if (sync.before && isProduction) log.info({ steps: sync.steps.length }, "The tables are changed");
      applied(sync);
    },
    start: { log, goesOn, ...(isProduction ? { changing: (steps) => log.info({ steps }, changingText(steps)) } : {}) },
  });
  models = createModels(db, layout);
  return { db, layout };
}

/** In development, tables change with each edit of a content-type. */
const changingText = (steps: number): string =>
  `The tables are those of another version of the app, and get ${steps} changes now. Large tables take minutes; plinth schema plan shows each change beforehand`;

/** What happens around a synchronisation. */
interface InStepOptions extends SyncOptions {
  /** Awaited between the migrations that prepare content and the change of the tables. */
  readonly beforeSync: () => Promise<void>;
}

/**
 * Updates a database to the content model: the migrations that run before, then the tables, then the migrations that
 * run after.
 *
 * @throws PLINTH_SCHEMA_DESTRUCTIVE, PLINTH_SCHEMA_STEP_FAILED, PLINTH_MIGRATION_FAILED
 */
export async function bringInStep(
  db: Database,
  setup: AppSetup,
  model: ContentModel,
  { beforeSync, ...options }: InStepOptions,
): Promise<Layout> {
  const migrations = await listMigrations(setup.migrations);
  const lacksNewer = migrations.length > 0 && (await isEarlierModel(db, model));
  await runMigrations(db, migrations, "before", { lacksNewer });
  await beforeSync();
  const layout = await syncDatabase(db, model, { ...planOptionsOf(setup), ...options });
  await runMigrations(db, migrations, "after", { lacksNewer });
  return layout;
}

/** What a start may take away. */
function lossRulesOf(setup: AppSetup): Pick<SyncOptions, "mode" | "allowDataLoss"> {
  const mode = syncModeOf(setup);
  const waits = setup.losses === "wait" && mode === "apply";
  return { mode: waits ? "additive" : mode, allowDataLoss: setup.losses === "allowed" };
}

/** What config/schema says a start does to the tables. */
export function syncModeOf({ config }: Pick<AppSetup, "config">): SyncMode {
  const { value, problems } = parseOptions(schemaConfig, config?.["schema"] ?? {}, "schema");
  if (problems) throw new AppConfigError({ problems });
  return value.sync;
}

/** In production an older process may still use a column that is empty. */
export function planOptionsOf({ environment }: AppSetup): { readonly dropsEmpty: boolean } {
  return { dropsEmpty: environment !== "production" };
}

/**
 * The migrations in a folder, in the order of their names: modules with `up(knex)` or `before(knex)`, as their exports
 * or as members of their default export. None when the folder is missing.
 *
 * @param directory - absolute path of `database/migrations`; undefined for an app without one.
 */
export async function listMigrations(directory: string | undefined): Promise<readonly Migration[]> {
  if (directory === undefined) return [];
  const modules = await listModules(directory);
  return modules.map(({ name, file }) => ({
    name,
    file,
    load: async () => {
      const exports = await importFile(file);
      return (exports["default"] ?? exports) as MigrationSteps;
    },
  }));
}

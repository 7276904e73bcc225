import type { Database } from "../database/driver/database.js";
import type { Layout } from "../database/layout/layout.js";
import { type Migration, type MigrationSteps, runMigrations } from "../database/sync/migrations.js";
import { type SyncOptions, syncDatabase } from "../database/sync/sync-database.js";
import type { ContentModel } from "../schema/model.js";
import type { AppSetup } from "./app-setup.js";
import { importFile, listModules } from "./project/read-module.js";

/** What happens around a synchronisation. */
export interface InStepOptions extends SyncOptions {
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
  await runMigrations(db, migrations, "before");
  await beforeSync();
  const layout = await syncDatabase(db, model, { ...planOptionsOf(setup), ...options });
  await runMigrations(db, migrations, "after");
  return layout;
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

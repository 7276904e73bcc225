import type { Migration, MigrationSteps } from "../../database/migrations.js";
import { importFile, listModules } from "./read-module.js";

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

import { assertName } from "./names.js";
import type { NewFile } from "./new-file.js";

/**
 * A migration, whose name starts with the time in UTC: migrations run in the order of their names.
 *
 * @param name - what it does: `fill-slugs`.
 * @throws PLINTH_CLI_INVALID_NAME
 */
export function migrationFiles(name: string, now: Date): readonly NewFile[] {
  const time = now.toISOString().slice(0, 19).replace(/\D/g, "");
  const text = `import { defineMigration } from "@plinth/core";

export default defineMigration({
  // Runs before the tables change, on those of the version before; not on a new database. Remove it if nothing is to be prepared.
  async before(_knex) {},

  // Runs after the tables have changed, on new databases too: await knex("articles").whereNull("views").update({ views: 0 });
  async up(_knex) {},
});
`;
  return [{ path: `database/migrations/${time}-${assertName(name, "a migration")}.ts`, text }];
}

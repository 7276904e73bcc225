import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Knex } from "knex";
import type { Database } from "./database.js";
import { lockDatabase } from "./database-lock.js";
import { MigrationFailedError } from "./errors.js";

/** Table that remembers which migrations ran. */
export const MIGRATIONS_TABLE = "plinth_migrations";

const MIGRATION_FILE = /(?<!\.d)\.(?:js|mjs|ts|mts)$/;
const EXTENSION = /\.[^.]+$/;

/**
 * Runs an app's own migrations that have not run yet: modules of a directory that export `up(knex)` and `down(knex)`,
 * in the order of their file names, each in a transaction of its own. Runs before the synchronisation, so a migration
 * can prepare content for a change of the content model. Several processes may call it at once: one works at a time.
 *
 * @param directory - absolute path of `database/migrations`, with files such as `001-fill-slugs.ts`.
 * @returns names of the migrations that ran, in order: `001-fill-slugs`
 * @throws PLINTH_MIGRATION_FAILED (500) details `{ file, reason }`; that migration is rolled back, those before it stay
 */
export async function runMigrations(db: Database, directory: string): Promise<readonly string[]> {
  const source = new DirectorySource(directory);
  const ran: string[] = [];
  if ((await source.getMigrations()).length === 0) return ran;
  for (;;) {
    const next = await runNext(db, source);
    if (next.length === 0) return ran;
    ran.push(...next);
  }
}

/** Runs the first one that is pending, if any. Our lock makes others wait, where knex's own would make them fail. */
async function runNext(db: Database, source: DirectorySource): Promise<readonly string[]> {
  try {
    return await db.transaction(async () => {
      await lockDatabase(db, MIGRATIONS_TABLE);
      const [, names] = await db.builder().migrate.up({ migrationSource: source, tableName: MIGRATIONS_TABLE });
      return (names as string[]).map((file) => source.getMigrationName(file));
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationFailedError({ file: source.current ?? source.directory, reason }, { cause: error });
  }
}

/** The files of a directory, as knex's migrator wants them; knows which one is at work, for messages. */
class DirectorySource implements Knex.MigrationSource<string> {
  current: string | undefined;

  constructor(readonly directory: string) {}

  async getMigrations(): Promise<string[]> {
    const files = await readdir(this.directory);
    return files.filter((file) => MIGRATION_FILE.test(file)).sort();
  }

  /** Without the extension, so that a file keeps its name when it is built. */
  getMigrationName(file: string): string {
    return file.replace(EXTENSION, "");
  }

  async getMigration(file: string): Promise<Knex.Migration> {
    const path = join(this.directory, file);
    this.current = path;
    const module = (await import(pathToFileURL(path).href)) as Knex.Migration & { default?: Knex.Migration };
    return module.default ?? module;
  }
}

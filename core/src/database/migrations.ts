import type { Knex } from "knex";
import type { Database } from "./database.js";
import { lockDatabase } from "./database-lock.js";
import { MigrationFailedError } from "./errors.js";

/** Table that remembers which migrations ran. */
export const MIGRATIONS_TABLE = "plinth_migrations";

/** One of the app's own migrations. */
export interface Migration {
  /** What is remembered of it, the same before and after a build: `001-fill-slugs`. */
  readonly name: string;
  /** Where it comes from, for messages. */
  readonly file: string;
  /** Its `up(knex)` and `down(knex)`; only called for migrations that are going to run. */
  load(): Promise<Knex.Migration>;
}

/**
 * Runs an app's own migrations that have not run yet, in the given order, each in a transaction of its own. Runs
 * before the synchronisation, so a migration can prepare content for a change of the content model. Several processes
 * may call it at once: one works at a time.
 *
 * @returns names of the migrations that ran, in order: `001-fill-slugs`
 * @throws PLINTH_MIGRATION_FAILED (500) details `{ file, reason }`; that migration is rolled back, those before it stay
 */
export async function runMigrations(db: Database, migrations: readonly Migration[]): Promise<readonly string[]> {
  const source = new ListSource(migrations);
  const ran: string[] = [];
  if (migrations.length === 0) return ran;
  for (;;) {
    const next = await runNext(db, source);
    if (next.length === 0) return ran;
    ran.push(...next);
  }
}

/** Runs the first one that is pending, if any. Our lock makes others wait, where knex's own would make them fail. */
async function runNext(db: Database, source: ListSource): Promise<readonly string[]> {
  try {
    return await db.transaction(async () => {
      await lockDatabase(db, MIGRATIONS_TABLE);
      const [, names] = await db.builder().migrate.up({ migrationSource: source, tableName: MIGRATIONS_TABLE });
      return names as string[];
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationFailedError({ file: source.current ?? MIGRATIONS_TABLE, reason }, { cause: error });
  }
}

/** A list of migrations as knex's migrator wants it; knows which one is at work, for messages. */
class ListSource implements Knex.MigrationSource<Migration> {
  current: string | undefined;

  constructor(private readonly migrations: readonly Migration[]) {}

  async getMigrations(): Promise<Migration[]> {
    return [...this.migrations];
  }

  getMigrationName({ name }: Migration): string {
    return name;
  }

  async getMigration({ file, load }: Migration): Promise<Knex.Migration> {
    this.current = file;
    return load();
  }
}

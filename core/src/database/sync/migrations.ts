import type { Knex } from "knex";
import type { Database } from "../driver/database.js";
import { MigrationFailedError } from "../errors.js";
import { SNAPSHOT_TABLE } from "./snapshot.js";

/** When a part of a migration runs: before or after the tables are changed to match the content-types. */
export type MigrationMoment = "before" | "after";

/** Tables that remember which migrations ran, by moment. */
const MIGRATIONS_TABLES: Readonly<Record<MigrationMoment, string>> = {
  before: "plinth_migrations_before",
  after: "plinth_migrations",
};

/** What a migration does; at least one of the two. Each runs once, in a transaction of its own. */
export interface MigrationSteps {
  /**
   * Prepares content for a change of the tables, which are still those of the version before. Left out on a new
   * database, where there is nothing to prepare.
   */
  readonly before?: (knex: Knex) => unknown;
  /** Works on the tables of the content-types as they are now: fills what is new, adds tables and indexes of the app. */
  readonly up?: (knex: Knex) => unknown;
}

/** One of the app's own migrations. */
export interface Migration {
  /** What is remembered of it, the same before and after a build: `001-fill-slugs`. */
  readonly name: string;
  /** Where it comes from, for messages. */
  readonly file: string;
  /** Only called for migrations that are going to run. */
  load(): Promise<MigrationSteps>;
}

/** Declares a migration, with the types of its functions. */
export function defineMigration(steps: MigrationSteps): MigrationSteps {
  return steps;
}

/**
 * Runs what an app's own migrations do at one moment and have not done yet, in the given order, each in a transaction of
 * its own. Several processes may call it at once: one works at a time.
 *
 * @param options - `lacksNewer`: a newer version of the app has run migrations that are not in the list.
 * @returns names of the migrations that ran, in order: `001-fill-slugs`
 * @throws PLINTH_MIGRATION_FAILED (500) details `{ file, reason }`; that migration is rolled back, those before it stay
 */
export async function runMigrations(
  db: Database,
  migrations: readonly Migration[],
  moment: MigrationMoment,
  { lacksNewer = false }: { readonly lacksNewer?: boolean } = {},
): Promise<readonly string[]> {
  const ran: string[] = [];
  if (migrations.length === 0) return ran;
  const source = new ListSource(migrations, moment, { isNew: moment === "before" && (await isNew(db)), lacksNewer });
  for (;;) {
    const next = await runNext(db, source);
    if (next.length === 0) return ran;
    ran.push(...next);
  }
}

async function isNew(db: Database): Promise<boolean> {
  const text = "select to_regclass($1) is null as is_new";
  const [row] = await db.query<{ is_new: boolean }>({ text, values: [SNAPSHOT_TABLE] });
  return row?.is_new ?? false;
}

/** Runs the first one that is pending, if any. Our lock makes others wait, where knex's own would make them fail. */
async function runNext(db: Database, source: ListSource): Promise<readonly string[]> {
  try {
    return await db.transaction(async () => {
      // Waiting for the lock and building indexes may take longer than the usual limit of statements.
      await db.liftTimeLimits();
      await db.lock(MIGRATIONS_TABLES.after);
      const options = {
        migrationSource: source,
        tableName: source.table,
        disableMigrationsListValidation: source.lacksNewer,
      };
      const [, names] = await db.builder().migrate.up(options);
      return names as string[];
    });
  } catch (error) {
    if (MigrationFailedError.is(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationFailedError({ file: source.current ?? source.table, reason }, { cause: error });
  }
}

const nothing = async (): Promise<void> => undefined;

/** A list of migrations as knex's migrator wants it; knows which one is at work, for messages. */
class ListSource implements Knex.MigrationSource<Migration> {
  readonly table: string;
  current: string | undefined;

  readonly lacksNewer: boolean;
  readonly #isNew: boolean;

  /** @param options - `isNew`: the database was empty; what prepares content is noted as done. */
  constructor(
    private readonly migrations: readonly Migration[],
    private readonly moment: MigrationMoment,
    { isNew, lacksNewer }: { readonly isNew: boolean; readonly lacksNewer: boolean },
  ) {
    this.table = MIGRATIONS_TABLES[moment];
    this.#isNew = isNew;
    this.lacksNewer = lacksNewer;
  }

  async getMigrations(): Promise<Migration[]> {
    return [...this.migrations];
  }

  getMigrationName({ name }: Migration): string {
    return name;
  }

  /** Knex requires a `down`, which is never run. */
  async getMigration({ file, load }: Migration): Promise<Knex.Migration> {
    this.current = file;
    const { before, up } = await load();
    if (typeof before !== "function" && typeof up !== "function")
      throw new MigrationFailedError({ file, reason: "it exports neither up(knex) nor before(knex)" });
    const run = this.moment === "after" ? up : this.#isNew ? undefined : before;
    return { up: async (knex) => void (await (run ?? nothing)(knex)), down: nothing };
  }
}

import { isAbsolute, join } from "node:path";
import { connectDatabase, type DatabaseConfig } from "../database/driver/connect.js";
import type { Database, DatabaseLog } from "../database/driver/database.js";
import type { Layout } from "../database/layout/layout.js";
import { createModels, type ModelOf } from "../database/models/create-models.js";
import type { AppliedSync } from "../database/sync/undo-sync.js";
import type { ContentModel } from "../schema/model.js";
import type { AppSetup } from "./app-setup.js";
import { bringInStep } from "./bring-in-step.js";

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
  readonly log: DatabaseLog;
  /** Called as soon as there is a connection to close, so that it is closed if a later step fails. */
  readonly opened: (db: AppDatabase) => void;
  /** Awaited between the migrations that prepare content and the synchronisation. */
  readonly beforeSync: (db: Database) => Promise<void>;
  /** Called with the changes of the tables, once they are committed. */
  readonly applied: (sync: AppliedSync) => void;
}

/**
 * Connects, runs the app's migrations, and updates the tables to the content model.
 *
 * @throws PLINTH_DATABASE_*, PLINTH_SCHEMA_DESTRUCTIVE, PLINTH_MIGRATION_*
 */
export async function openDatabase(
  setup: AppSetup,
  model: ContentModel,
  { log, opened, beforeSync, applied }: OpeningSteps,
): Promise<{ readonly db: AppDatabase; readonly layout: Layout }> {
  const database = await (setup.connect ?? connectDatabase)(databaseConfigOf(setup), log);
  let models: ModelOf | undefined;
  const db = Object.assign(database, { model: ((uid) => (models as ModelOf)(uid)) as ModelOf });
  opened(db);
  const layout = await bringInStep(db, setup, model, { beforeSync: () => beforeSync(db), applied });
  models = createModels(db, layout);
  return { db, layout };
}

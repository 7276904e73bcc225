// A process of its own that brings the tables in step with a model: its arguments are the DatabaseConfig and the schemas as JSON.
import type { DatabaseConfig } from "#core/database/driver/connect.js";
import { connectDatabase } from "#core/database/driver/connect.js";
import { syncDatabase } from "#core/database/sync/sync-database.js";
import { buildModel } from "#core/schema/build-model.js";
import type { RawComponent, RawContentType } from "#core/schema/raw.js";

/** What the process gets. */
export interface Rewriting {
  readonly database: DatabaseConfig;
  readonly contentTypes: RawContentType[];
  readonly components: RawComponent[];
}

const { database, ...schemas } = JSON.parse(process.argv[2] ?? "") as Rewriting;
const db = await connectDatabase(database);
await syncDatabase(db, buildModel(schemas), { allowDataLoss: true });
await db.close();

import type { Database } from "../database/driver/database.js";
import type { BackgroundIndexes } from "../database/sync/background-indexes.js";
import { SCHEMA_CHANNEL } from "../database/sync/follow-tables.js";
import { isEarlierModel } from "../database/sync/model-history.js";
import type { Finding, HealthCheck } from "../http/health.js";
import type { ContentModel } from "../schema/model.js";

/**
 * Whether the tables are those of this process: `degraded` where a newer version of the app has changed them, or where an
 * index is missing. The database is asked once, and again when a message says that somebody changed the tables.
 *
 * @param indexes - those that are made while the process serves; undefined without any.
 */
export function schemaCheck(db: Database, model: ContentModel, indexes: BackgroundIndexes | undefined): HealthCheck {
  let isStale = true;
  let isBehind = false;
  const forget = (): void => {
    isStale = true;
  };
  db.messages.subscribe(SCHEMA_CHANNEL, { onMessage: forget, onLost: forget });
  const look = async (): Promise<void> => {
    isStale = false;
    try {
      isBehind = await isEarlierModel(db, model);
    } catch (error) {
      isStale = true;
      throw error;
    }
  };
  return {
    name: "schema",
    run: async (): Promise<Finding> => {
      if (isStale) await look();
      if (isBehind) return { status: "degraded", reason: "a newer version of this app has changed the tables" };
      const missing = indexes?.missing ?? 0;
      return missing > 0 ? { status: "degraded", reason: "indexes are not made yet", missing } : { status: "ok" };
    },
  };
}

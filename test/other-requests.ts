// What other requests do while a test holds a transaction open: they work outside of it, and wait for its locks.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "@plinth/core";
import { expect } from "chai";
import { citusUrl } from "./citus/cluster.js";
import { eventually } from "./core/database/driver/note-app.js";

/** Does work as another request would: outside of the transaction that it is called in. */
export const asAnotherRequest: <Result>(work: () => Result) => Result = AsyncLocalStorage.snapshot();

const HERE = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
const ON_WORKERS = "select distinct waiting_gpid from citus_lock_waits";

/**
 * Resolves once so many sessions of a PostgreSQL database wait for locks. It looks from outside of the caller's
 * transaction: PostgreSQL shows one state of the sessions until a transaction ends, that of the first look.
 *
 * @source https://www.postgresql.org/docs/15/monitoring-stats.html#MONITORING-STATS-VIEWS
 */
export async function waitForLocks(db: Pick<Database, "query" | "engine">, sessions = 1): Promise<void> {
  const text = db.engine === "citus" && citusUrl !== undefined ? ON_WORKERS : HERE;
  const look = async () => expect(await db.query({ text, values: [] })).to.have.length(sessions);
  await asAnotherRequest(() => eventually(look));
}

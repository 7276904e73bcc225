import type { Database } from "./database.js";

/**
 * Lets one process at a time do what `purpose` names, until the transaction ends; the others wait. PGlite has one
 * session, so there it excludes nothing, and needs not.
 *
 * Waiting for others, and what is done then (building indexes), may take longer than statements usually may.
 */
export async function lockDatabase(db: Database, purpose: string): Promise<void> {
  await db.liftTimeLimits();
  const text = "select pg_advisory_xact_lock(hashtextextended($1 || ' ' || current_schema(), 0))";
  await db.query({ text, values: [purpose] });
}

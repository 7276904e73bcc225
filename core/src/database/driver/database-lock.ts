import type { Database, Statement } from "./database.js";

/**
 * The statement that waits until no other transaction of the schema has a lock of this name, and holds it until its own
 * transaction ends.
 */
export const lockStatement = (name: string): Statement => ({
  text: "select pg_advisory_xact_lock(hashtextextended($1 || ' ' || current_schema(), 0))",
  values: [name],
  isPlan: true,
});

/**
 * Lets one process at a time do what `purpose` names, until the transaction ends; the others wait. PGlite has one
 * session, so there it excludes nothing, and needs not.
 *
 * Waiting for others, and what is done then (building indexes), may take longer than statements usually may.
 */
export async function lockDatabase(db: Database, purpose: string): Promise<void> {
  await db.liftTimeLimits();
  await db.query(lockStatement(purpose));
}

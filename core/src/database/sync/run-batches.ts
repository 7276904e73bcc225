import type { Database } from "../driver/database.js";
import { identifier } from "../sql/sql.js";
import { runTexts, stepError, withLockRetries } from "./apply-steps.js";
import type { StepBatches, SyncStep } from "./step.js";

/** How many documents a transaction rewrites at most: those who write one of them wait until it ends. */
export const BATCH_SIZE = 1_000;

/**
 * Does what steps can do in batches: goes through the documents by their ids, each batch a transaction of its own. Broken
 * off, what was done stays, and the next run finds it done.
 *
 * @throws PLINTH_SCHEMA_STEP_FAILED (500); batches before the one that failed stay
 */
export async function runBatches(db: Database, steps: readonly SyncStep[]): Promise<void> {
  for (const step of steps) {
    if (step.batches === undefined) continue;
    let last: string | undefined = "";
    while (last !== undefined) last = await runBatch(db, step, { ...step.batches, after: last });
  }
}

/** @returns the id of its last document; undefined where none follows */
async function runBatch(
  db: Database,
  step: SyncStep,
  { table, prepare, sql, finish, after }: StepBatches & { readonly after: string },
): Promise<string | undefined> {
  try {
    return await withLockRetries(db, async () => {
      const rows = await db.query<{ document_id: string }>({
        text: `select distinct document_id from ${identifier(table)} where document_id > $1 order by document_id limit ${BATCH_SIZE}`,
        values: [after],
      });
      const ids = rows.map(({ document_id }) => document_id);
      if (ids.length === 0) return undefined;
      await runTexts(db, prepare);
      await db.queryAll(sql.map((text) => ({ text, values: [ids] })));
      await runTexts(db, finish);
      return ids.length < BATCH_SIZE ? undefined : ids.at(-1);
    });
  } catch (error) {
    throw stepError(step, error);
  }
}

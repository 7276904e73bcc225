import type { Database } from "../driver/database.js";
import { SchemaNotUndoneError } from "../errors.js";
import { hashSnapshot, readSnapshot, type Snapshot, SNAPSHOT_TABLE, saveSnapshot } from "./snapshot.js";
import type { SyncStep } from "./step.js";

/** What a synchronisation did to the tables. */
export interface AppliedSync {
  /** In the order in which they ran; `undo` reverts each. */
  readonly steps: readonly SyncStep[];
  /** The snapshot from before; undefined where the database was new. */
  readonly before: Snapshot | undefined;
  readonly after: Snapshot;
}

/**
 * Undoes a synchronisation, all of it in one transaction, so that the version of the app from before finds its
 * tables again. What was written into new tables and columns meanwhile goes with them.
 *
 * @throws PLINTH_SCHEMA_NOT_UNDONE (500) details `{ reason, steps }`; nothing was changed
 */
export async function undoSync(db: Database, { steps, before, after }: AppliedSync): Promise<void> {
  const fixed = steps.filter(({ undo }) => undo === undefined);
  if (fixed.length > 0) throw notUndone("some of them cannot be taken back", fixed);
  try {
    await db.transaction(async () => {
      // Waiting for the lock and building indexes may take longer than the usual limit of statements.
      await db.liftTimeLimits();
      await db.lock(SNAPSHOT_TABLE);
      if ((await readSnapshot(db))?.hash !== hashSnapshot(after))
        throw notUndone("another process has changed them since", steps);
      for (const { undo = "" } of steps.toReversed()) if (undo !== "") await db.query({ text: undo, values: [] });
      if (before) await saveSnapshot(db, before);
      else await db.query({ text: `delete from ${SNAPSHOT_TABLE}`, values: [] });
    });
  } catch (error) {
    if (SchemaNotUndoneError.is(error)) throw error;
    throw notUndone(error instanceof Error ? error.message : String(error), steps, { cause: error });
  }
}

function notUndone(reason: string, steps: readonly SyncStep[], options?: ErrorOptions): Error {
  const described = steps.map(({ kind, table, column, why }) => ({ kind, table, column, why }));
  return new SchemaNotUndoneError({ reason, steps: described }, options);
}

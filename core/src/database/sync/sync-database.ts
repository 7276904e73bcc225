import type { ContentModel } from "../../schema/model.js";
import type { Database } from "../driver/database.js";
import { SchemaDestructiveError, SchemaNotUndoneError, SchemaStepError } from "../errors.js";
import type { Layout } from "../layout/layout.js";
import { identifier } from "../sql/sql.js";
import { type PlanOptions, planSync } from "./plan-sync.js";
import { readCarried } from "./read-carried.js";
import { SCHEMA_CHANNEL } from "./follow-tables.js";
import { hashSnapshot, readSnapshot, saveSnapshot, type Snapshot, SNAPSHOT_TABLE } from "./snapshot.js";
import type { SyncPlan, SyncStep } from "./step.js";

/** What a synchronisation may do. */
export interface SyncOptions extends PlanOptions {
  /** Run the steps that lose content as well; false by default. */
  readonly allowDataLoss?: boolean;
  /** Called with what was done, once it is committed; not called where nothing was to be done. */
  readonly applied?: (sync: AppliedSync) => void;
}

/**
 * Changes the database to match the content model: additions are applied, steps that lose content are rejected. Several
 * processes may do it at once: the first one works, the others wait and find nothing to do.
 *
 * @throws PLINTH_SCHEMA_DESTRUCTIVE (500) details `{ steps: [{ kind, table, column, why }] }`; nothing was changed
 * @throws PLINTH_SCHEMA_STEP_FAILED (500) details `{ kind, table, column, reason }`; everything was rolled back
 */
export async function syncDatabase(db: Database, model: ContentModel, options: SyncOptions = {}): Promise<Layout> {
  const plan = await planSync(db, model, options);
  if (plan.isUpToDate) return await withCarried(db, plan);
  const { current, sync } = await db.transaction(async () => {
    // Waiting for the lock and building indexes may take longer than the usual limit of statements.
    await db.liftTimeLimits();
    await db.lock(SNAPSHOT_TABLE);
    const current = await planSync(db, model, options);
    return { current, sync: await applySync(db, current, options) };
  });
  if (sync) options.applied?.(sync);
  return await withCarried(db, current);
}

/** The layout with what the tables hold beyond the model: most hold nothing, and no statement asks them. */
async function withCarried(db: Database, { layout, hasMore }: SyncPlan): Promise<Layout> {
  if (hasMore) layout.carried?.replace(await readCarried(db, layout.model));
  return layout;
}

/** Runs the steps of a plan and stores its snapshot. @returns what was done, if anything was to be done */
async function applySync(
  db: Database,
  plan: SyncPlan,
  { allowDataLoss = false }: SyncOptions,
): Promise<AppliedSync | undefined> {
  const destructive = plan.steps.filter(({ isDestructive }) => isDestructive);
  if (destructive.length > 0 && !allowDataLoss) throw new SchemaDestructiveError({ steps: destructive.map(describe) });
  if (plan.isUpToDate) return undefined;
  const steps: SyncStep[] = [];
  for (const step of plan.steps) steps.push(await runStep(db, step));
  await saveSnapshot(db, plan.snapshot);
  await db.messages.publish(SCHEMA_CHANNEL, hashSnapshot(plan.snapshot));
  return { steps, before: plan.known, after: plan.snapshot };
}

/** @returns the step, with the definition of an index that it drops as its undo: no plan knows it. */
async function runStep(db: Database, step: SyncStep): Promise<SyncStep> {
  try {
    const undo = step.kind === "drop index" ? await definitionOf(db, step.column ?? "") : undefined;
    await db.query({ text: step.sql, values: [] });
    return undo === undefined ? step : { ...step, undo };
  } catch (error) {
    const { kind, table, column } = step;
    throw new SchemaStepError({ kind, table, column, reason: reasonOf(error) }, { cause: error });
  }
}

async function definitionOf(db: Database, index: string): Promise<string | undefined> {
  const text = "select pg_get_indexdef(to_regclass($1)) as definition";
  const [row] = await db.query<{ definition: string | null }>({ text, values: [identifier(index)] });
  return row?.definition ?? undefined;
}

/** PostgreSQL puts the values it refuses into `detail`: `Key (slug, locale)=(a, ) is duplicated.` */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const detail = "detail" in error && typeof error.detail === "string" ? ` (${error.detail})` : "";
  return `${error.message}${detail}`;
}

function describe({ kind, table, column, why }: SyncStep) {
  return { kind, table, column, why };
}

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
      await db.messages.publish(SCHEMA_CHANNEL, "");
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

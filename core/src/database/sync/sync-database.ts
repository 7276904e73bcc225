import type { ContentModel } from "../../schema/model.js";
import type { Database } from "../database.js";
import { lockDatabase } from "../database-lock.js";
import { SchemaDestructiveError, SchemaStepError } from "../errors.js";
import type { Layout } from "../layout.js";
import { planSync } from "./plan-sync.js";
import { saveSnapshot, SNAPSHOT_TABLE } from "./snapshot.js";
import type { SyncPlan, SyncStep } from "./step.js";

/** What a synchronisation may do. */
export interface SyncOptions {
  /** Run the steps that lose content as well; false by default. */
  readonly allowDataLoss?: boolean;
}

/**
 * Brings the database to the content model: what adds is applied, what loses content is refused. Several processes
 * may do it at once: the first one works, the others wait and find nothing to do.
 *
 * @throws PLINTH_SCHEMA_DESTRUCTIVE (500) details `{ steps: [{ kind, table, column, why }] }`; nothing was changed
 * @throws PLINTH_SCHEMA_STEP_FAILED (500) details `{ kind, table, column, reason }`; everything was rolled back
 */
export async function syncDatabase(db: Database, model: ContentModel, options?: SyncOptions): Promise<Layout> {
  const plan = await planSync(db, model);
  if (plan.isUpToDate) return plan.layout;
  return db.transaction(async () => {
    await lockDatabase(db, SNAPSHOT_TABLE);
    return applySync(db, await planSync(db, model), options);
  });
}

/** Runs the steps of a plan in one transaction and stores its snapshot. @see syncDatabase for what it throws */
export async function applySync(
  db: Database,
  plan: SyncPlan,
  { allowDataLoss = false }: SyncOptions = {},
): Promise<Layout> {
  const destructive = plan.steps.filter(({ isDestructive }) => isDestructive);
  if (destructive.length > 0 && !allowDataLoss) throw new SchemaDestructiveError({ steps: destructive.map(describe) });
  if (plan.isUpToDate) return plan.layout;
  await db.transaction(async () => {
    await lockDatabase(db, SNAPSHOT_TABLE);
    for (const step of plan.steps) await runStep(db, step);
    await saveSnapshot(db, plan.snapshot);
  });
  return plan.layout;
}

async function runStep(db: Database, step: SyncStep): Promise<void> {
  try {
    await db.query({ text: step.sql, values: [] });
  } catch (error) {
    const { kind, table, column } = step;
    throw new SchemaStepError({ kind, table, column, reason: reasonOf(error) }, { cause: error });
  }
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

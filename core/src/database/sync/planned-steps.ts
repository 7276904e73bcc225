import type { ContentModel } from "../../schema/model.js";
import type { Database } from "../driver/database.js";
import { type PlanOptions, planSync } from "./plan-sync.js";
import { createdBy, lockOf, phaseOf, type StepPhase, type SyncStep } from "./step.js";

/** A step with when it runs, and what others wait for meanwhile. */
export interface PlannedStep extends SyncStep {
  readonly phase: StepPhase;
  /** In PostgreSQL's words; null: none that a request notices. */
  readonly lock: string | null;
}

/** Steps with their phases and locks, which depend on the tables that the same steps make. */
export function withPhases(steps: readonly SyncStep[]): readonly PlannedStep[] {
  const created = createdBy(steps);
  return steps.map((step) => ({ ...step, phase: phaseOf(step, created), lock: lockOf(step, created) ?? null }));
}

/**
 * What a start with another content model would do to the tables, in its order; changes nothing.
 *
 * @param model - of `buildModel`, with the locales and tables of the app's own
 */
export async function planSteps(
  db: Database,
  model: ContentModel,
  options: PlanOptions = {},
): Promise<readonly PlannedStep[]> {
  return withPhases((await planSync(db, model, options)).steps);
}

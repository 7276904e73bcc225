import * as v from "@plinth/core/valibot";
import { option, options } from "../../base/options/values.js";
import type { Database, DatabaseLog } from "../driver/database.js";
import { SchemaDestructiveError } from "../errors.js";
import { SchemaByCommandError, SchemaDiffersError } from "./errors.js";
import { contains, findModel, withOlder } from "./model-history.js";
import type { Snapshot } from "./snapshot.js";
import { createdBy, phaseOf, type SyncPlan, type SyncStep } from "./step.js";

/** What config/schema may hold. */
export const schemaConfig = options({
  sync: option(
    v.picklist(["apply", "additive", "check"]),
    "What a start does about tables that differ from the content-types. `apply`: every step that loses no content. `additive`: adds what is missing; what is gone stays for versions that still run, until `plinth schema apply --allow-data-loss`. `check`: nothing, and it refuses to start.",
    "apply",
  ),
});

/** What a start, or a command, may do to the tables. */
export type SyncMode = "apply" | "additive" | "check";

/** What a synchronisation may do. */
export interface SyncRules {
  /** `apply` by default. */
  readonly mode?: SyncMode;
  /** Run the steps that lose content as well; false by default. */
  readonly allowDataLoss?: boolean;
  /** Whether content may be rewritten; in production only a command may. True by default. */
  readonly mayRewrite?: boolean;
}

/** What of a plan is to run. */
export interface PermittedPlan extends SyncPlan {
  /** Those that stay for a contracting `schema apply`. */
  readonly waiting: readonly SyncStep[];
}

/**
 * Whether this process may use the tables as they are although its plan has steps: its model was applied once, and all
 * steps would only take away what other versions have. Costs a statement.
 *
 * @returns `behind` where a newer model was applied since, `ahead` where what is older waits to be taken away
 */
export async function standingOf(db: Database, plan: SyncPlan): Promise<"behind" | "ahead" | undefined> {
  if (!plan.known || !plan.steps.every(({ isRemoval }) => isRemoval) || !contains(plan.known, plan.snapshot))
    return undefined;
  const { isKnown, isNewest } = await findModel(db, plan.modelHash);
  if (!isKnown) return undefined;
  return isNewest ? "ahead" : "behind";
}

/** Says why this process starts without changing the tables. */
export function logStanding(log: DatabaseLog, standing: "behind" | "ahead", { steps }: SyncPlan): void {
  const described = steps.map(describeStep);
  if (standing === "behind")
    log.warn(
      { behind: true, steps: described },
      "The tables are those of a newer version of this app. This one knows all that it needs of them, and starts as it is",
    );
  else
    log.warn(
      { steps: described },
      `${steps.length} steps take away what the content-types have no longer. They wait for: plinth schema apply --allow-data-loss`,
    );
}

/**
 * What of a plan may run.
 *
 * @throws PLINTH_SCHEMA_DIFFERS (500) in the mode `check`
 * @throws PLINTH_SCHEMA_DESTRUCTIVE (500) for steps that lose content, where that is not allowed and they cannot wait
 * @throws PLINTH_SCHEMA_BY_COMMAND (500) for steps that rewrite content, at a start that may not
 */
export function permit(
  plan: SyncPlan,
  { mode = "apply", allowDataLoss = false, mayRewrite = true }: SyncRules,
): PermittedPlan {
  if (plan.isUpToDate) return { ...plan, waiting: [] };
  const isNew = plan.known === undefined;
  if (mode === "check") throw new SchemaDiffersError({ steps: plan.steps.map(describeStep) });
  const waits = (step: SyncStep) => mode === "additive" && !allowDataLoss && step.isRemoval === true;
  const waiting = plan.steps.filter(waits);
  const steps = plan.steps.filter((step) => !waits(step));
  const destructive = steps.filter(({ isDestructive }) => isDestructive);
  if (destructive.length > 0 && !allowDataLoss)
    throw new SchemaDestructiveError({ steps: destructive.map(describeStep) });
  const created = createdBy(steps);
  const rewriting = steps.filter((step) => phaseOf(step, created) === "content");
  if (rewriting.length > 0 && !mayRewrite && !isNew)
    throw new SchemaByCommandError({ steps: rewriting.map(describeStep) });
  return { ...plan, steps, waiting, snapshot: snapshotAfter(plan, waiting) };
}

function snapshotAfter({ snapshot, known }: SyncPlan, waiting: readonly SyncStep[]): Snapshot {
  return waiting.length > 0 && known ? withOlder(snapshot, known) : snapshot;
}

/** A step as errors and the log show it. */
export const describeStep = ({ kind, table, column, why }: SyncStep) => ({ kind, table, column, why });

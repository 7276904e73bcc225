import { connectDatabase } from "../database/driver/connect.js";
import type { Database } from "../database/driver/database.js";
import { BATCH_SIZE } from "../database/sync/run-batches.js";
import { assertUnused } from "../database/sync/processes.js";
import { planSync } from "../database/sync/plan-sync.js";
import { createdBy, lockOf, phaseOf, type SyncStep, wholeBecause } from "../database/sync/step.js";
import type { App } from "../kernel/app.js";
import type { ContentModel } from "../schema/model.js";
import { databaseConfigOf } from "../app/app-database.js";
import { bringInStep, planOptionsOf, syncModeOf } from "../app/app-database.js";
import type { AppSetup } from "../app/app-setup.js";
import { beforeSync } from "../app/collect-model.js";
import { createPlinth } from "../app/create-app.js";
import { exitWhenIdle } from "./stop-on-signal.js";
import { codeFormOf, loadSetup } from "./load-setup.js";
import { print, say, secondsSince, withProgress } from "./terminal.js";

/** Prints what a start or `schema apply` would change in the configured database. */
export async function planSchema(root: string, { json }: { readonly json: boolean }): Promise<void> {
  const { steps } = await withDatabase(root, async ({ setup, app, db, model }) => {
    await app.hooks.series(beforeSync, { db, model });
    return await planSync(db, model, planOptionsOf(setup));
  });
  print(json ? JSON.stringify(withPhases(steps), undefined, 2) : describeSteps(steps));
}

/**
 * Runs the project's migrations, then updates the tables to match the content model.
 *
 * @throws PLINTH_SCHEMA_DESTRUCTIVE when content would be lost and that is not allowed
 * @throws PLINTH_SCHEMA_IN_USE when processes of another version may use it
 */
export async function applySchema(
  root: string,
  { allowDataLoss, force }: { readonly allowDataLoss: boolean; readonly force: boolean },
): Promise<void> {
  await withDatabase(root, async ({ setup, app, db, model }) => {
    const since = performance.now();
    let count = 0;
    await bringInStep(db, setup, model, {
      mode: syncModeOf(setup) === "apply" ? "apply" : "additive",
      allowDataLoss,
      beforeSync: async () => {
        await app.hooks.series(beforeSync, { db, model });
        const plan = await planSync(db, model, planOptionsOf(setup));
        count = plan.steps.length;
        print(describeSteps(plan.steps));
        if (allowDataLoss && !force) await assertUnused(db, plan);
      },
    });
    if (count > 0) say(`applied in ${secondsSince(since)}`);
  });
}

/** What the work on a schema needs. */
interface Opened {
  readonly setup: AppSetup;
  readonly app: App;
  readonly db: Database;
  readonly model: ContentModel;
}

async function withDatabase<T>(root: string, work: (opened: Opened) => Promise<T>): Promise<T> {
  const setup = await loadSetup(root, codeFormOf(root));
  const plinth = createPlinth(setup);
  const model = plinth.declareModel();
  const db = await withProgress("connecting", () => connectDatabase(databaseConfigOf(setup)));
  try {
    return await work({ setup, app: plinth.app, db, model });
  } finally {
    await db.close();
    exitWhenIdle();
  }
}

function describeSteps(steps: readonly SyncStep[]): string {
  if (steps.length === 0) return "The database is in step with the content-types; nothing to do.";
  const losses = steps.filter(({ isDestructive }) => isDestructive).length;
  const end = losses === 0 ? "None loses content." : `${losses} of them lose content and need --allow-data-loss.`;
  const created = createdBy(steps);
  const described = steps.map((step) => describeStep(step, created));
  return [...described, `${steps.length} step${steps.length === 1 ? "" : "s"}. ${end}`].join("\n\n");
}

function withPhases(steps: readonly SyncStep[]) {
  const created = createdBy(steps);
  return steps.map((step) => ({ ...step, phase: phaseOf(step, created), lock: lockOf(step, created) ?? null }));
}

function describeStep(step: SyncStep, created: ReadonlySet<string>): string {
  const { kind, table, column, sql, isDestructive, why } = step;
  const lock = lockOf(step, created);
  const name = column === undefined ? table : `${table}.${column}`;
  const statements = sql
    .join("; ")
    .split("\n")
    .map((line) => `    ${line}`);
  return [
    `${isDestructive ? "LOSES CONTENT  " : ""}${kind} ${name}: ${why}`,
    `    phase: ${describePhase(step, created)}; lock: ${lock ?? "none"}`,
    ...statements,
  ].join("\n");
}

function describePhase(step: SyncStep, created: ReadonlySet<string>): string {
  const phase = phaseOf(step, created);
  if (step.batches) return `${phase}, in batches of ${BATCH_SIZE.toLocaleString("en")} documents`;
  return phase === "content" ? `${phase}, in one transaction: ${wholeBecause(step)}` : phase;
}

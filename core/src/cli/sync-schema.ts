import type { Database } from "../database/driver/database.js";
import { BATCH_SIZE } from "../database/sync/run-batches.js";
import { assertUnused } from "../database/sync/processes.js";
import { planSync } from "../database/sync/plan-sync.js";
import { withPhases } from "../database/sync/planned-steps.js";
import { createdBy, lockOf, phaseOf, type SyncStep, wholeBecause } from "../database/sync/step.js";
import { bringInStep, planOptionsOf, syncModeOf } from "../app/app-database.js";
import type { ProjectCommand } from "../app/command.js";
import { beforeSync } from "../app/collect-model.js";
import type { DeclaredContext } from "./inspect.js";
import { secondsSince } from "./terminal.js";

/** `plinth schema plan`: what a start or `schema apply` would change in the configured database. */
export const planCommand: ProjectCommand = {
  description: "show what would be changed, with its SQL; changes nothing",
  async runOnProject({ project, options, print }: DeclaredContext) {
    const { setup, app, model } = project;
    const { steps } = await project.withDatabase(async (db) => {
      await app.hooks.series(beforeSync, { db, model });
      return await planSync(db, model, planOptionsOf(setup));
    });
    print(options["json"] ? JSON.stringify(withPhases(steps), undefined, 2) : describeSteps(steps));
  },
};

/**
 * `plinth schema apply`: runs the project's migrations, then updates the tables to match the content model. It throws
 * PLINTH_SCHEMA_DESTRUCTIVE when content would be lost and that is not allowed, and PLINTH_SCHEMA_IN_USE when processes of
 * another version may use it.
 */
export const applyCommand: ProjectCommand = {
  description: "run migrations, then change the tables; refuses to lose content",
  async runOnProject({ project, options, print, say }: DeclaredContext) {
    const { setup, app, model } = project;
    const allowDataLoss = options["allowDataLoss"] === true;
    const work = async (db: Database) => {
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
          if (allowDataLoss && options["force"] !== true) await assertUnused(db, plan);
        },
      });
      if (count > 0) say(`applied in ${secondsSince(since)}`);
    };
    await project.withDatabase(work, { isAlone: true });
  },
};

function describeSteps(steps: readonly SyncStep[]): string {
  if (steps.length === 0) return "The database is in step with the content-types; nothing to do.";
  const losses = steps.filter(({ isDestructive }) => isDestructive).length;
  const end = losses === 0 ? "None loses content." : `${losses} of them lose content and need --allow-data-loss.`;
  const created = createdBy(steps);
  const described = steps.map((step) => describeStep(step, created));
  return [...described, `${steps.length} step${steps.length === 1 ? "" : "s"}. ${end}`].join("\n\n");
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

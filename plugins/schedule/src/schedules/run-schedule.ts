import type { App } from "@plinth/core";
import { act, problemsOf } from "../act.js";
import { actingAs, callerNow, originFor } from "../callers.js";
import type { Problem } from "../contract.js";
import { tellFailure } from "../failures.js";
import { tellPlanAct } from "../tell-acts.js";
import { competingTransaction, lastProblems } from "../tries.js";
import { ScheduleStore, type StoredSchedule } from "./schedule-store.js";

/**
 * Does what a plan says, and forgets it, in one transaction: once, also when processes die. One that is not due any more is left
 * alone.
 *
 * @param attempt - 1 is the first.
 */
export async function runSchedule(app: App, id: number, attempt: number): Promise<void> {
  const store = new ScheduleStore(app);
  const known = await store.find(id);
  if (!known) return;
  try {
    await competingTransaction(app, async () => {
      // In the order in which a deletion of the document takes them.
      if (app.model.contentTypes.has(known.uid)) await app.documents(known.uid).lock(known.documentId);
      const due = await store.take(id);
      if (due) await runDue(app, store, due);
    });
  } catch (error) {
    const problems = lastProblems(app, error, attempt);
    await app.db.transaction(async () => {
      const due = await store.take(id);
      if (due) await keepFailure(app, store, due, problems);
    });
  }
}

async function runDue(app: App, store: ScheduleStore, due: StoredSchedule): Promise<void> {
  const problems = await app.db
    .transaction(async () => act(app, due, actingAs(await callerNow(app, due.actor))))
    .then(() => [], problemsOf);
  if (problems.length > 0) return await keepFailure(app, store, due, problems);
  await store.done(due.id);
  await tellRun(app, due, problems);
}

async function keepFailure(
  app: App,
  store: ScheduleStore,
  due: StoredSchedule,
  problems: readonly Problem[],
): Promise<void> {
  await store.failed(due.id, problems);
  await tellFailure(app, { ...due, problems });
  await tellRun(app, due, problems);
}

const tellRun = (app: App, due: StoredSchedule, problems: readonly Problem[]): Promise<void> =>
  tellPlanAct(app, {
    ...{ action: "schedule.run", origin: originFor(due.actor), place: due, problems },
    details: { action: due.action },
  });

import type { App } from "@plinth/core";
import { act, actOnAll, type Outcome, problemsOf } from "../act.js";
import { type Acting, actingAs, callerNow, originFor } from "../callers.js";
import type { Problem } from "../contract.js";
import { tellFailure } from "../failures.js";
import { tellPlanAct } from "../tell-acts.js";
import { competingTransaction, isOutage, lastProblems } from "../tries.js";
import { ReleaseStore, type StoredRelease, type StoredReleaseAction } from "./release-store.js";

/** How an attempt of a job is run. */
interface Attempt {
  /** 1 is the first. */
  readonly attempt: number;
  readonly signal?: AbortSignal;
}

/** Runs a release whose time has come, and goes on with one whose process is gone. Others are left alone. */
export async function runDueRelease(app: App, id: number, attempt: Attempt): Promise<void> {
  const store = new ReleaseStore(app);
  const isLeft = await app.db.transaction(async () => {
    const isRunning = (await store.find(id))?.state === "running";
    // Who runs it in one transaction has its lock until that ends. It is looked for again each minute.
    const release = await (isRunning ? store.lockIdle(id) : store.lock(id));
    if (release?.state === "scheduled" && release.at && (await isOver(app, release.at))) {
      await store.resetFailed(id);
      await store.setState(id, "running");
    }
    return release !== undefined;
  });
  if (isLeft) await runRelease(app, id, attempt);
}

/** By the clock of the database, as its job was begun. */
async function isOver({ db }: App, time: Date): Promise<boolean> {
  const text = "select $1::timestamptz <= clock_timestamp() as over";
  return (await db.query<{ over: boolean }>({ text, values: [time], isPlan: true }))[0]?.over ?? false;
}

/** Runs a release that is `running`: whole or not at all, or one by one. Several may try; it happens once. */
export async function runRelease(app: App, id: number, attempt: Attempt): Promise<void> {
  const release = await new ReleaseStore(app).find(id);
  if (release?.state !== "running") return;
  try {
    await (release.transaction ? runWhole(app, id) : runEach(app, release, attempt));
  } catch (error) {
    if (attempt.signal?.aborted) throw error;
    const problems = lastProblems(app, error, attempt.attempt);
    await failAll(app, id, problems);
  }
}

/** Ends the transaction of a release of which something was refused. */
class Refused extends Error {
  constructor(readonly outcomes: readonly Outcome<StoredReleaseAction>[]) {
    super();
  }
}

/** All that it changes, and that it is done, are one transaction. */
async function runWhole(app: App, id: number): Promise<void> {
  const store = new ReleaseStore(app);
  try {
    await competingTransaction(app, async () => {
      const release = await store.lock(id);
      if (release?.state !== "running") return;
      const outcomes = await tryAll(app, release);
      if (outcomes.some(({ problems }) => problems.length > 0)) throw new Refused(outcomes);
      await store.mark(id, outcomes);
      await store.end(id, "done");
      await tellEnd(app, release);
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await app.db.transaction(async () => {
      const release = await store.lock(id);
      if (release?.state === "running") await keepRefusal(app, release, error.outcomes);
    });
  }
}

/** What was done already, by a run without a transaction, is not done again. */
async function tryAll(app: App, release: StoredRelease): Promise<readonly Outcome<StoredReleaseAction>[]> {
  const actions = release.actions.filter(({ state }) => state !== "done");
  return await actingFor(app, release).then(
    (acting) => actOnAll(app, actions, acting),
    (error) => {
      const problems = problemsOf(error);
      return actions.map((of) => ({ of, problems }));
    },
  );
}

/** @throws PLINTH_SCHEDULE_CALLER_GONE (403) */
const actingFor = async (app: App, { actor }: StoredRelease): Promise<Acting> => actingAs(await callerNow(app, actor));

async function keepRefusal(
  app: App,
  release: StoredRelease,
  outcomes: readonly Outcome<StoredReleaseAction>[],
): Promise<void> {
  const { id, actor } = release;
  const store = new ReleaseStore(app);
  await store.mark(id, outcomes, true);
  await store.end(id, "failed");
  for (const { of, problems } of outcomes)
    if (problems.length > 0) await tellFailure(app, { ...of, actor, problems, release: id });
  await tellEnd(
    app,
    release,
    outcomes.flatMap(({ problems }) => problems),
  );
}

/** Each action by itself: what is to be tried again of one does not keep the others waiting. */
async function runEach(app: App, release: StoredRelease, { attempt, signal }: Attempt): Promise<void> {
  // Those of before are left as they are; what is taken back goes first, as in a transaction.
  const waiting = release.actions.filter(({ state }) => state === "waiting");
  const faults: unknown[] = [];
  for (const action of waiting.toSorted((one, other) => other.action.localeCompare(one.action))) {
    signal?.throwIfAborted();
    try {
      await runOne(app, release, action, attempt);
    } catch (error) {
      if (isOutage(error)) throw error;
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
  await endEach(app, release.id);
}

/** @throws what has to be tried again */
async function runOne(app: App, release: StoredRelease, action: StoredReleaseAction, attempt: number): Promise<void> {
  try {
    await actAndMark(app, release, action, async () =>
      app.db.transaction(async () => act(app, action, await actingFor(app, release))).then(() => [], problemsOf),
    );
  } catch (error) {
    const problems = lastProblems(app, error, attempt);
    await actAndMark(app, release, action, async () => problems);
  }
}

/** An action, and that it is done or has failed, are one transaction. */
async function actAndMark(
  app: App,
  { id, actor }: StoredRelease,
  action: StoredReleaseAction,
  work: () => Promise<readonly Problem[]>,
): Promise<void> {
  const store = new ReleaseStore(app);
  await competingTransaction(app, async () => {
    if (app.model.contentTypes.has(action.uid)) await app.documents(action.uid).lock(action.documentId);
    if (!(await store.takeAction(id, action))) return;
    const problems = await work();
    await store.mark(id, [{ of: action, problems }]);
    if (problems.length > 0) await tellFailure(app, { ...action, actor, problems, release: id });
  });
}

/** It is over when nothing waits any more: another process may be at its last one. */
async function endEach(app: App, id: number): Promise<void> {
  const store = new ReleaseStore(app);
  await app.db.transaction(async () => {
    const release = await store.lock(id);
    if (release?.state !== "running" || release.actions.some(({ state }) => state === "waiting")) return;
    const problems = release.actions.flatMap((action) => (action.state === "failed" ? action.problems : []));
    await store.end(id, problems.length > 0 ? "failed" : "done");
    await tellEnd(app, release, problems);
  });
}

const tellEnd = (app: App, { id, actor, actions }: StoredRelease, problems: readonly Problem[] = []): Promise<void> =>
  tellPlanAct(app, {
    ...{ action: "release.run", origin: originFor(actor), problems },
    details: { release: id, documents: actions.length },
  });

/** What failed for another reason than its documents. */
async function failAll(app: App, id: number, problems: readonly Problem[]): Promise<void> {
  await app.db.transaction(async () => {
    const release = await new ReleaseStore(app).lock(id);
    if (release?.state !== "running") return;
    const waiting = release.actions.filter(({ state }) => state === "waiting");
    await keepRefusal(
      app,
      release,
      waiting.map((of) => ({ of, problems })),
    );
  });
}

import type { ContentModel } from "../../schema/model.js";
import type { Database, DatabaseLog } from "../driver/database.js";
import { SchemaNotUndoneError } from "../errors.js";
import type { Layout } from "../layout/layout.js";
import { countedTables } from "../layout/noted-changes.js";
import { createIndex, dropIndexes, noteApplied, runSteps, runTexts, withLockRetries } from "./apply-steps.js";
import { type BackgroundIndexes, makeIndexes } from "./background-indexes.js";
import { openSession, tryLockTables, whenLocked } from "./direct-session.js";
import { SCHEMA_CHANNEL } from "./follow-tables.js";
import { runBatches } from "./run-batches.js";
import { type PlanOptions, planSync } from "./plan-sync.js";
import { readCarried } from "./read-carried.js";
import { hashSnapshot, readSnapshot, type Snapshot, SNAPSHOT_TABLE, snapshotStatement } from "./snapshot.js";
import { createdBy, phaseOf, type StepPhase, type SyncPlan, type SyncStep } from "./step.js";
import { logStanding, type PermittedPlan, permit, standingOf, type SyncRules } from "./sync-rules.js";

/** What a synchronisation may do. */
export interface SyncOptions extends PlanOptions, SyncRules {
  /** Called with what was done, once it is committed; not called where nothing was to be done. */
  readonly applied?: (sync: AppliedSync) => void;
  /**
   * Given by a start: a model that was applied before may start with tables of a newer one, and indexes that only make
   * reads faster are made while it serves.
   */
  readonly start?: StartOptions;
}

/** What a start adds. */
export interface StartOptions {
  readonly log: DatabaseLog;
  /** Called before tables of an earlier start are changed, with the number of steps. */
  readonly changing?: (steps: number) => void;
  /** Called with the work that goes on after the start; it never fails, and `stop` ends it early. */
  readonly goesOn: (work: BackgroundIndexes) => void;
}

/**
 * Changes the database to match the content model, as far as the rules permit. Several processes may do it at once: the
 * first one works, the others wait and find nothing to do. On a server where others read and write, each phase is a
 * transaction of its own: what failed later leaves the ones before it, and the next synchronisation goes on there.
 *
 * @throws PLINTH_SCHEMA_DESTRUCTIVE, PLINTH_SCHEMA_DIFFERS, PLINTH_SCHEMA_BY_COMMAND (500) details
 *   `{ steps: [{ kind, table, column, why }] }`; nothing was changed
 * @throws PLINTH_SCHEMA_STEP_FAILED (500) details `{ kind, table, column, reason }`; its phase was rolled back
 */
export async function syncDatabase(db: Database, model: ContentModel, options: SyncOptions = {}): Promise<Layout> {
  const plan = await planSync(db, model, options);
  if (plan.known) db.noteChangesOf(countedTables(plan.layout));
  if (plan.isUpToDate) return await withCarried(db, plan);
  const standing = await standingAtStart(db, plan, options);
  if (standing) return standing;
  const permitted = permit(plan, options);
  if (plan.known && permitted.steps.length > 0) options.start?.changing?.(permitted.steps.length);
  const again = async () => permit(await planSync(db, model, options), options);
  const isShared = db.kind === "postgres" && plan.known !== undefined;
  const created = createdBy(permitted.steps);
  const hasContent = permitted.steps.some((step) => phaseOf(step, created) === "content");
  const { current, sync } =
    isShared && !hasContent ? await inPhases(db, again, permitted, options) : await withContent(db, again, isShared);
  if (sync) options.applied?.(sync);
  return await withCarried(db, current);
}

/** @returns the layout where the process starts without a change */
async function standingAtStart(
  db: Database,
  plan: SyncPlan,
  { start, dropsEmpty = false, allowDataLoss = false }: SyncOptions,
): Promise<Layout | undefined> {
  const isAsked = start && !allowDataLoss && (!dropsEmpty || plan.steps.some(({ isDestructive }) => isDestructive));
  const standing = isAsked ? await standingOf(db, plan) : undefined;
  if (!standing || !start) return undefined;
  logStanding(start.log, standing, plan);
  return await withCarried(db, { ...plan, hasMore: true });
}

/** The layout with what the tables hold beyond the model: most hold nothing, and no statement asks them. */
async function withCarried(db: Database, { layout, hasMore }: SyncPlan): Promise<Layout> {
  db.noteChangesOf(countedTables(layout));
  if (hasMore) layout.carried?.replace(await readCarried(db, layout.model));
  return layout;
}

interface Synchronised {
  readonly current: PermittedPlan;
  /** Undefined where another process had done it all. */
  readonly sync: AppliedSync | undefined;
}

type PlanAgain = () => Promise<PermittedPlan>;

/**
 * Rewrites content: in batches as far as steps have them, then all that is left in one transaction. That makes its plan
 * again, so a process that came between the two, or took over, does no harm.
 */
async function withContent(db: Database, planAgain: PlanAgain, isShared: boolean): Promise<Synchronised> {
  const session = isShared ? await openSession(db, true) : undefined;
  try {
    if (session) await runBatches(db, (await planAgain()).steps);
  } finally {
    await session?.end();
  }
  return await atOnce(db, planAgain, isShared);
}

/** All in one transaction. */
async function atOnce(db: Database, planAgain: PlanAgain, isShared: boolean): Promise<Synchronised> {
  const apply = async (): Promise<Synchronised | undefined> => {
    if (!(await tryLockTables(db))) return undefined;
    const current = await planAgain();
    if (current.isUpToDate) return { current, sync: undefined };
    const steps = await runSteps(db, current.steps);
    await noteApplied(db, current);
    return { current, sync: { steps, before: current.known, after: current.snapshot } };
  };
  if (isShared) return await whenLocked(() => withLockRetries(db, apply));
  return await whenLocked(() =>
    db.transaction(async () => {
      // Building indexes may take longer than the usual limit of statements.
      await db.liftTimeLimits();
      return await apply();
    }),
  );
}

/** While others read and write. */
async function inPhases(
  db: Database,
  planAgain: PlanAgain,
  first: PermittedPlan,
  { start }: SyncOptions,
): Promise<Synchronised> {
  const mayWait = start !== undefined && first.steps.every(isLeisurely);
  const session = await openSession(db, !mayWait);
  // Another process makes the indexes at the moment.
  if (!session) return { current: first, sync: undefined };
  let background: readonly SyncStep[] = [];
  try {
    const current = await planAgain();
    if (current.isUpToDate) return { current, sync: undefined };
    const created = createdBy(current.steps);
    const of = (phase: StepPhase) => current.steps.filter((step) => phaseOf(step, created) === phase);
    const indexes = of("indexes");
    await runBatches(db, current.steps);
    const dropped = await dropIndexes(
      db,
      session,
      indexes.filter(({ kind }) => kind === "drop index"),
    );
    const tables = await withLockRetries(db, async () => {
      const done = await runSteps(db, of("tables"));
      await noteApplied(db, current);
      return done;
    });
    const missing = indexes.filter(({ kind }) => kind === "create index");
    background = start ? missing.filter(isLeisurely) : [];
    const first = missing.filter((step) => !background.includes(step));
    for (const step of first) await createIndex(session, step);
    const identities = indexes.filter(({ kind }) => kind === "set identity");
    if (identities.length > 0) await withLockRetries(db, () => runSteps(db, identities));
    const steps = [...dropped, ...tables, ...missing, ...identities];
    return { current, sync: { steps, before: current.known, after: current.snapshot } };
  } finally {
    if (start && background.length > 0) start.goesOn(makeIndexes(db, session, background, start.log));
    else await session.end();
  }
}

/** Whether a process may serve before a step is done. */
const isLeisurely = ({ kind, isUnique }: SyncStep): boolean => kind === "create index" && !isUnique;

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
      for (const { undo = [] } of steps.toReversed()) await runTexts(db, undo);
      if (before) await db.query(snapshotStatement(before));
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

import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../driver/database.js";
import { SchemaStepError } from "../errors.js";
import { identifier } from "../sql/sql.js";
import { SCHEMA_CHANNEL } from "./follow-tables.js";
import { noteModel } from "./model-history.js";
import { hashSnapshot, snapshotStatement } from "./snapshot.js";
import type { DirectSession } from "./direct-session.js";
import type { SyncPlan, SyncStep } from "./step.js";

/** How long a change of the tables lets requests wait behind it, in milliseconds: then it gives way and tries again. */
const LOCK_TIMEOUT = 250;
/** Pauses between tries, in milliseconds; the last one is repeated. */
const PAUSES = [100, 250, 500, 1_000];
/** How long it is tried. */
const LOCK_PATIENCE = 60_000;

/** SQLSTATE of a lock that was not free in time. */
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Runs work that changes tables in a transaction that waits for no lock longer than requests can bear: one that waits
 * for a long reader keeps all later readers waiting. It gives way, and is tried again for 60 s.
 *
 * @throws PLINTH_SCHEMA_STEP_FAILED (500) for the step whose lock was not free in all that time
 */
export async function withLockRetries<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  const since = performance.now();
  for (let turn = 0; ; turn += 1) {
    try {
      return await db.transaction(async () => {
        await db.liftTimeLimits();
        await db.query({ text: "select set_config('lock_timeout', $1, true)", values: [String(LOCK_TIMEOUT)] });
        return await work();
      });
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() - since > LOCK_PATIENCE) throw error;
      const pause = PAUSES[Math.min(turn, PAUSES.length - 1)] ?? 0;
      await sleep(pause * (0.75 + Math.random() / 2));
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  return code === LOCK_NOT_AVAILABLE || (cause instanceof Error && isLockTimeout(cause));
}

/** Runs steps in the current transaction. @throws PLINTH_SCHEMA_STEP_FAILED (500) */
export async function runSteps(db: Database, steps: readonly SyncStep[]): Promise<readonly SyncStep[]> {
  const done: SyncStep[] = [];
  for (const step of steps) done.push(await runStep(db, step));
  return done;
}

/** Stores what the tables are now, and tells the other processes, in one round trip. */
export async function noteApplied(db: Database, { snapshot, modelHash }: SyncPlan): Promise<void> {
  await db.queryAll([snapshotStatement(snapshot), noteModel(modelHash)]);
  await db.messages.publish(SCHEMA_CHANNEL, hashSnapshot(snapshot));
}

/** Runs statements without parameters, in one round trip. Each is one of its own: Citus refuses several in one text. */
export async function runTexts(db: Database, texts: readonly string[]): Promise<void> {
  await db.queryAll(texts.map((text) => ({ text, values: [] })));
}

/** @returns the step, with the definition of an index that it drops as its undo: no plan knows it. */
async function runStep(db: Database, step: SyncStep): Promise<SyncStep> {
  try {
    const undo = step.kind === "drop index" ? await definitionOf(db, step.column ?? "") : undefined;
    await runTexts(db, step.sql);
    return undo === undefined ? step : { ...step, undo: [undo] };
  } catch (error) {
    throw stepError(step, error);
  }
}

/** Drops indexes while everybody reads and writes. */
export async function dropIndexes(
  db: Database,
  session: DirectSession,
  steps: readonly SyncStep[],
): Promise<readonly SyncStep[]> {
  const done: SyncStep[] = [];
  for (const step of steps) {
    const undo = await definitionOf(db, step.column ?? "");
    await runConcurrently(session, step, dropSql(step));
    done.push(undo === undefined ? step : { ...step, undo: [undo] });
  }
  return done;
}

/** Makes an index while everybody reads and writes; what is left of one that could not be finished goes first. */
export async function createIndex(session: DirectSession, step: SyncStep): Promise<void> {
  await runConcurrently(session, step, dropSql(step));
  try {
    for (const text of step.sql)
      await runConcurrently(session, step, text.replace(/^create (unique )?index /, "create $1index concurrently "));
  } catch (error) {
    // Writers would have to keep it up to date, and no reader may use it.
    await runConcurrently(session, step, dropSql(step));
    throw error;
  }
}

const dropSql = ({ column = "" }: SyncStep): string => `drop index concurrently if exists ${identifier(column)}`;

async function runConcurrently(session: DirectSession, step: SyncStep, text: string): Promise<void> {
  try {
    await session.run(text);
  } catch (error) {
    throw stepError(step, error);
  }
}

async function definitionOf(db: Database, index: string): Promise<string | undefined> {
  const text = "select pg_get_indexdef(to_regclass($1)) as definition";
  const [row] = await db.query<{ definition: string | null }>({ text, values: [identifier(index)] });
  return row?.definition ?? undefined;
}

/** What a step failed with. @returns PLINTH_SCHEMA_STEP_FAILED (500) */
export function stepError({ kind, table, column }: SyncStep, error: unknown): Error {
  return new SchemaStepError({ kind, table, column, reason: reasonOf(error) }, { cause: error });
}

/** PostgreSQL puts the values it refuses into `detail`: `Key (slug, locale)=(a, ) is duplicated.` */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const detail = "detail" in error && typeof error.detail === "string" ? ` (${error.detail})` : "";
  return `${error.message}${detail}`;
}

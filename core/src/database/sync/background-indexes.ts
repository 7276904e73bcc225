import { setTimeout as sleep } from "node:timers/promises";
import type { Database, DatabaseLog } from "../driver/database.js";
import { createIndex } from "./apply-steps.js";
import type { DirectSession } from "./direct-session.js";
import type { SyncStep } from "./step.js";

/** Milliseconds that a stop waits until the server has let go of an index that is being made. */
const STOP_TIMEOUT = 500;

/** Indexes that are made while the process serves. */
export interface BackgroundIndexes {
  /** All are made, or the work has been ended. Never rejects. */
  readonly done: Promise<void>;
  /** How many are not made: not yet, or because that failed. */
  readonly missing: number;
  /** Ends it; the next synchronisation makes what is missing. */
  stop(): Promise<void>;
}

/** Makes indexes one after another over a session that it ends. What fails is logged, and is tried at the next start. */
export function makeIndexes(
  db: Database,
  session: DirectSession,
  steps: readonly SyncStep[],
  log: DatabaseLog,
): BackgroundIndexes {
  let hasEnded = false;
  let missing = steps.length;
  const work = async (): Promise<void> => {
    try {
      for (const step of steps) {
        if (hasEnded) break;
        await createIndex(session, step);
        missing -= 1;
      }
    } catch (err) {
      if (!hasEnded)
        log.warn({ err }, "An index could not be made. Reads are slower without it; the next start tries again");
    } finally {
      await session
        .end()
        .catch((err: unknown) => log.warn({ err }, "The connection of schema changes did not end well"));
    }
  };
  const done = work();
  return {
    done,
    get missing() {
      return missing;
    },
    stop: async () => {
      if (hasEnded) return;
      hasEnded = true;
      const isDone = await Promise.race([done.then(() => true), Promise.resolve(false)]);
      if (isDone) return;
      // A server goes on with a statement whose client has left.
      const cancelled = db
        .query({ text: "select pg_cancel_backend($1)", values: [session.pid] })
        .then(() => done)
        .catch((err: unknown) => log.warn({ err }, "An index is still being made"));
      await Promise.race([cancelled, sleep(STOP_TIMEOUT)]);
    },
  };
}

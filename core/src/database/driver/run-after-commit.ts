// Runs work that waited for a commit.
import type { DatabaseLog } from "./database.js";

/** A task that fails is logged, and leaves the others and the caller alone: what they were about is committed. */
export function runAfterCommit(task: () => void, log: DatabaseLog): void {
  const failed = (err: unknown) => log.warn({ err }, "Work that waited for a commit failed. What was committed stays");
  try {
    const done: unknown = task();
    if (done instanceof Promise) done.catch(failed);
  } catch (error) {
    failed(error);
  }
}

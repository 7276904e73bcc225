import { setTimeout as sleep } from "node:timers/promises";
import { type App, isPlinthError, reasonOf } from "@plinth/core";
import type { Problem } from "./contract.js";
import { InternalFailureError } from "./errors.js";

/** How often what failed for no reason of the documents is tried, before that is its end. */
const TRIES = 3;
/** The same for what says that it passes. With the pauses of the job: some four minutes. */
export const PATIENT_TRIES = 9;

/** Milliseconds before the first further try of a transaction to which others were quicker; longer each time. */
const PAUSE = 100;

/** Others wrote the same documents: the database runs the transaction around it again by itself. */
const CONTENTION = "PLINTH_DATABASE_CONTENTION";
/** The same, and a table that is being changed. The database does not know that it may be tried again. */
const QUICKER: ReadonlySet<string> = new Set(["PLINTH_DOCUMENT_CONFLICT", "PLINTH_DATABASE_IN_USE"]);

/** The database cannot be reached, or takes no writes: nothing can be kept of what failed then, and nothing else is done. */
const OUTAGES: ReadonlySet<string> = new Set([
  "PLINTH_DATABASE_UNREACHABLE",
  "PLINTH_DATABASE_STOPPING",
  "PLINTH_DATABASE_STARTING",
  "PLINTH_DATABASE_SESSION_ENDED",
  "PLINTH_DATABASE_TOO_MANY_CONNECTIONS",
  "PLINTH_DATABASE_READ_ONLY",
  "PLINTH_DATABASE_TWO_PRIMARIES",
  "PLINTH_DATABASE_UNKNOWN_OUTCOME",
]);

const codeOf = (error: unknown): string => (isPlinthError(error) ? error.code : "");

/** Whether others were quicker, so that the same may succeed the next time. */
export const isCompetition = (error: unknown): boolean => codeOf(error) === CONTENTION || QUICKER.has(codeOf(error));

/** Whether it is the database that is away, and not what was to be done that failed. */
export const isOutage = (error: unknown): boolean => OUTAGES.has(codeOf(error));

/** Runs work in a transaction, and a few times more where others were quicker. */
export async function competingTransaction(app: App, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await app.db.transaction(work);
    } catch (error) {
      if (tries === TRIES || !QUICKER.has(codeOf(error))) throw error;
      await sleep(PAUSE * tries);
    }
  }
}

/**
 * What is to be said of an error that says nothing about a document.
 *
 * @param attempt - 1 is the first.
 * @throws the error itself, to be tried again: without end where the database is away
 */
export function lastProblems(app: App, error: unknown, attempt: number): readonly Problem[] {
  const isPassing = isCompetition(error) || (isPlinthError(error) && error.status === 503);
  if (isOutage(error) || attempt < (isPassing ? PATIENT_TRIES : TRIES)) throw error;
  app.log.error({ err: error }, `What was planned failed, and is not tried again: ${reasonOf(error)}`);
  const { code, message } = new InternalFailureError({}, { cause: error });
  return [{ code, path: [], message }];
}

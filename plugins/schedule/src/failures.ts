import { type App, isPlinthError, reasonOf, serviceRef, type WriteActor } from "@plinth/core";
import type { StoredAction } from "./act.js";
import { originFor } from "./callers.js";
import type { Problem } from "./contract.js";
import { InternalFailureError } from "./errors.js";

/** As much of the plugin events as is used: it need not be installed. */
interface EventSink {
  publish(type: string, subject: object, data?: unknown): Promise<void>;
}

const events = serviceRef<EventSink>("plugin::events.events");

/** What failed, for whom. */
export interface Failure extends StoredAction {
  readonly actor: WriteActor | null;
  readonly problems: readonly Problem[];
  /** Of a release. */
  readonly release?: number;
}

/** Reports a failure, in the transaction that keeps it: the log always, and others by an event where there are events. */
export async function tellFailure(app: App, failure: Failure): Promise<void> {
  const { uid, documentId, locale, action, actor, problems, release } = failure;
  const code = problems[0]?.code;
  const about = { uid, documentId, locale, action, ...(release === undefined ? {} : { release }) };
  app.db.afterCommit(() => app.log.warn({ ...about, code }, `What was planned failed: ${problems[0]?.message ?? ""}`));
  if (!app.has("events")) return;
  const subject = { uid, documentId, locales: locale === "" ? [] : [locale], origin: originFor(actor) };
  const type = release === undefined ? "schedule.failed" : "release.failed";
  const data = { action, code, ...(release === undefined ? {} : { release }) };
  await app.service(events).publish(type, subject, data);
}

/** How often what failed for no reason of the documents is tried, before that is its end. */
const TRIES = 3;

/**
 * What is to be said of an error that says nothing about a document.
 *
 * @param attempt - 1 is the first.
 * @throws the error itself, to be tried again: always where the database could not be reached
 */
export function lastProblems(app: App, error: unknown, attempt: number): readonly Problem[] {
  const isOutage = isPlinthError(error) && error.status === 503;
  if (isOutage || attempt < TRIES) throw error;
  app.log.error({ err: error }, `What was planned failed ${TRIES} times: ${reasonOf(error)}`);
  const { code, message } = new InternalFailureError({}, { cause: error });
  return [{ code, path: [], message }];
}

import { type App, serviceRef, type WriteActor } from "@plinth/core";
import type { StoredAction } from "./act.js";
import { originFor } from "./callers.js";
import type { Problem } from "./contract.js";

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

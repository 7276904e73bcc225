import { hash as digest } from "node:crypto";
import { type App, type ExtensionRef, extensionRef } from "@plinth/core";
import type { Jobs } from "@plinth/plugin-jobs";
import { FILE_TYPE } from "../content-types.js";
import { storage } from "../contract.js";
import { keysOf } from "./file-record.js";

/** The plugin jobs, by its name alone: it need not be installed. */
export const jobs: ExtensionRef<Jobs> = extensionRef<Jobs>("plugin::jobs.jobs");

const NAME = "upload:remove-unused";

const DAY = 86_400_000;

/** Milliseconds after which no upload is still without its row. */
const UNUSED_AFTER = 3_600_000;

/** Keys in a storage that a row has, had, or is about to get. */
export interface StoredKeys {
  readonly provider: string;
  /** Of the row: it finds it. */
  readonly hash: string;
  readonly keys: readonly string[];
}

/** One job removes what was deleted, and what an upload left that never got its row: it asks which keys are in use by then. */
export function defineUnusedFiles(known: Jobs): void {
  known.define<StoredKeys>({
    ...{ name: NAME, concurrency: 2, retries: 20, backoff: 60_000 },
    run: ({ app, data }) => removeUnused(app, data),
  });
}

/** Has what an upload stores removed after an hour, unless a row uses it then. Only where there are jobs. */
export const removeUnlessUsed = (app: App, stored: StoredKeys): Promise<void> => removeIn(app, stored, UNUSED_AFTER);

/**
 * Has what was deleted removed after some days, unless a row uses it then; part of the caller's transaction. Only where there
 * are jobs.
 */
export const removeAfterDays = (app: App, stored: StoredKeys, days: number): Promise<void> =>
  removeIn(app, stored, days * DAY);

async function removeIn(app: App, stored: StoredKeys, milliseconds: number): Promise<void> {
  const at = new Date(app.clock.now() + milliseconds);
  if (stored.keys.length > 0) await app.extension(jobs).enqueue(NAME, stored, { at, key: jobKey(stored, at) });
}

/** Each job has its own, by which it can be taken back. */
const jobKey = ({ keys }: StoredKeys, at: Date): string =>
  digest("sha256", JSON.stringify([keys, at.getTime()]), "base64url");

/**
 * Removes deleted files at once that would stay for days. What an upload has stored in the last hour is left.
 *
 * @returns how many files it removed from the storage
 */
export async function removeDeleted(app: App): Promise<number> {
  if (!app.has("jobs")) return 0;
  const end = app.clock.now() + UNUSED_AFTER;
  const kept = (await app.extension(jobs).waiting<StoredKeys>(NAME)).filter(({ at }) => at.getTime() > end);
  let removed = 0;
  for (const { data, at } of kept) {
    removed += await removeUnused(app, data);
    await app.extension(jobs).cancel(NAME, [jobKey(data, at)]);
  }
  return removed;
}

/** Keys that wait to be removed; none where there are no jobs. */
export async function keysToRemove(app: App): Promise<ReadonlySet<string>> {
  if (!app.has("jobs")) return new Set();
  const waiting = await app.extension(jobs).waiting<StoredKeys>(NAME);
  return new Set(waiting.flatMap(({ data }) => data.keys));
}

/** @returns how many it removed */
async function removeUnused(app: App, { provider, hash, keys }: StoredKeys): Promise<number> {
  const current = app.service(storage);
  if (current.name !== provider) {
    app.log.warn({ keys, provider }, "Files stay in a storage that the app does not use any more");
    return 0;
  }
  const rows = await app.documents(FILE_TYPE).findMany({ filters: { hash } });
  const used = new Set(rows.flatMap(keysOf));
  const unused = keys.filter((key) => !used.has(key));
  for (const key of unused) await current.delete(key);
  return unused.length;
}

import { type App, type ExtensionRef, extensionRef } from "@plinth/core";
import type { Jobs } from "@plinth/plugin-jobs";
import { FILE_TYPE } from "../content-types.js";
import { storage } from "../contract.js";
import { keysOf } from "./file-record.js";

/** The plugin jobs, by its name alone: it need not be installed. */
export const jobs: ExtensionRef<Jobs> = extensionRef<Jobs>("plugin::jobs.jobs");

const NAME = "upload:remove-unused";

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

/** Has keys removed at a time, unless a row uses them then; part of the caller's transaction. Only where there are jobs. */
export async function removeLater(app: App, stored: StoredKeys, at: number): Promise<void> {
  if (stored.keys.length > 0) await app.extension(jobs).enqueue(NAME, stored, { at: new Date(at) });
}

/** Keys that wait to be removed; none where there are no jobs. */
export async function keysToRemove(app: App): Promise<ReadonlySet<string>> {
  if (!app.has("jobs")) return new Set();
  const waiting = await app.extension(jobs).waiting<StoredKeys>(NAME);
  return new Set(waiting.flatMap(({ data }) => data.keys));
}

async function removeUnused(app: App, { provider, hash, keys }: StoredKeys): Promise<void> {
  const current = app.service(storage);
  if (current.name !== provider) {
    app.log.warn({ keys, provider }, "Files stay in a storage that the app does not use any more");
    return;
  }
  const rows = await app.documents(FILE_TYPE).findMany({ filters: { hash } });
  const used = new Set(rows.flatMap(keysOf));
  for (const key of keys) if (!used.has(key)) await current.delete(key);
}

import type { App } from "@plinth/core";
import { FILE_TYPE } from "../content-types.js";
import { files, storage } from "../contract.js";
import { StorageNotListableError } from "../errors.js";
import { keyOf, type StoredFormats } from "./file-record.js";
import { keysToRemove } from "./unused-files.js";

/** A difference between storage and table. */
interface Difference {
  /**
   * `orphan`: stored, without a row. `missing`: a row whose file is not stored. `missing format`: the same for a
   * format of it.
   */
  readonly kind: "orphan" | "missing" | "missing format";
  readonly key: string;
  /** Row id of the file; absent for orphans. */
  readonly id?: number;
  /** Of the format that is missing. */
  readonly format?: string;
}

/** A newer file may belong to an upload whose row is not inserted yet. */
const MIN_AGE = 60 * 60 * 1000;
const PAGE = 500;

/**
 * Compares the storage with the table, page by page; files of other providers are not looked at, nor those that wait to be
 * removed.
 *
 * @param now - milliseconds since 1970; stored files younger than an hour are no orphans yet.
 * @throws PLINTH_UPLOAD_NOT_LISTABLE (500)
 */
export async function compareStorage(app: App, now: number = Date.now()): Promise<readonly Difference[]> {
  const provider = app.service(storage);
  if (!provider.list) throw new StorageNotListableError({ provider: provider.name });
  const stored = new Map<string, Date>();
  for await (const { key, modifiedAt } of provider.list()) stored.set(key, modifiedAt);
  const known = new Set<string>();
  const differences: Difference[] = [];
  for await (const entry of knownKeys(app, provider.name)) {
    known.add(entry.key);
    if (!stored.has(entry.key)) differences.push(entry);
  }
  const waiting = await keysToRemove(app);
  for (const [key, modifiedAt] of stored) {
    if (!known.has(key) && !waiting.has(key) && now - modifiedAt.getTime() >= MIN_AGE)
      differences.push({ kind: "orphan", key });
  }
  return differences;
}

/** Every key of the table, with the difference to report if its file is missing. */
async function* knownKeys(app: App, provider: string): AsyncIterable<Difference> {
  let last = 0;
  for (;;) {
    const rows = await app
      .documents(FILE_TYPE)
      .findMany({ filters: { provider, id: { $gt: last } }, sort: "id", pagination: { start: 0, limit: PAGE } });
    for (const row of rows) {
      const { id } = row;
      yield { kind: "missing", key: keyOf(row), id };
      for (const [format, { hash, ext }] of Object.entries((row["formats"] ?? {}) as StoredFormats)) {
        yield { kind: "missing format", key: `${hash}${ext}`, id, format };
      }
    }
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.id ?? last;
  }
}

/**
 * Makes storage and table consistent by removing what the other side lacks: orphans from the storage, formats and files
 * that are not stored from the table. Media that held such a file become empty.
 */
export async function repairStorage(app: App, differences: readonly Difference[]): Promise<void> {
  const gone = new Set(differences.filter(({ kind }) => kind === "missing").map(({ id }) => id));
  for (const { kind, key } of differences) if (kind === "orphan") await app.service(storage).delete(key);
  for (const id of gone) if (id !== undefined) await app.service(files).delete(id, { force: true });
  for (const { kind, id, format } of differences) {
    if (kind !== "missing format" || id === undefined || format === undefined || gone.has(id)) continue;
    await forgetFormat(app, id, format);
  }
}

async function forgetFormat(app: App, id: number, format: string): Promise<void> {
  const documents = app.documents(FILE_TYPE);
  const file = await documents.findFirst({ filters: { id } });
  if (!file) return;
  const formats = Object.entries((file["formats"] ?? {}) as object).filter(([name]) => name !== format);
  await documents.update({ documentId: file.documentId, data: { formats: Object.fromEntries(formats) } });
}

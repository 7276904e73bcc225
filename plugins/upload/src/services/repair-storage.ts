import type { App } from "@plinth/core";
import { FILE_TYPE } from "../content-types/file.js";
import { files, storage } from "../contract.js";
import type { Difference } from "./compare-storage.js";

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

import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { App } from "@plinth/core";
import { withTemporaryFolder } from "@plinth/core/archive";
import type { StoredFile } from "@plinth/plugin-upload";
import { STRAPI, type StrapiExport } from "../source/export-format.js";
import type { ExportIndex } from "../source/export-index.js";
import type { Issues } from "../issues.js";
import type { Progress } from "../progress.js";
import { formatsOf, keyOfFile, type StoredFiles } from "../source/stored-files.js";

/** Whether an app keeps files. */
export const hasFiles = (app: App): boolean => app.has("upload");

/** Reports files of which the export has the entry and not the bytes, and bytes that nothing is said of. */
export function checkFiles(source: StrapiExport, index: ExportIndex, issues: Issues): void {
  for (const key of index.mimes.keys())
    if (!source.keys.has(key))
      issues.add(STRAPI.file, "bytes are left out: they are not in the export. The file keeps its url", key);
  for (const key of source.keys)
    if (!index.mimes.has(key)) issues.add(STRAPI.file, "bytes are left out: no entry of the export is about them", key);
}

/** Stores the bytes of files that the app does not have yet. A run that was ended stores them again, under the same key. */
export async function importFiles(
  source: StrapiExport,
  { app, index, progress }: { readonly app: App; readonly index: ExportIndex; readonly progress: Progress },
): Promise<StoredFiles> {
  const target = app.service("plugin::upload.storage");
  const present = await listPresent(app);
  const byKey = new Map<string, StoredFile>();
  progress.begin("files", index.mimes.size);
  await withTemporaryFolder("import", async (folder) => {
    const path = join(folder, "file");
    for await (const { key, size, open } of source.assets()) {
      progress.step();
      const mime = index.mimes.get(key);
      if (mime === undefined || present.has(key)) continue;
      await pipeline(open(), createWriteStream(path));
      byKey.set(key, await target.put({ key, mime, size, stream: () => createReadStream(path) }));
    }
  });
  progress.end();
  return { provider: target.name, byKey };
}

/** Keys of all files that the app has an entry of. */
async function listPresent(app: App): Promise<ReadonlySet<string>> {
  const table = app.model.contentTypes.get(STRAPI.file)?.table ?? "";
  const rows: readonly Readonly<Record<string, unknown>>[] = await app.db
    .builder()(table)
    .select("hash", "ext", "formats");
  return new Set(rows.flatMap((row) => [keyOfFile(row), ...formatsOf(row).map(([, format]) => keyOfFile(format))]));
}

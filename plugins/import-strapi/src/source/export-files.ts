import { createReadStream } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { type ListedFile, packedFiles, withinLimits } from "@plinth/core/archive";
import type { ExportPlace } from "./export-limits.js";

/**
 * Lists the entries of an export from its start.
 *
 * @throws PLINTH_IMPORT_SOURCE_BROKEN, PLINTH_IMPORT_SOURCE_TOO_LARGE
 */
export function listFiles(place: ExportPlace, isFolder: boolean): AsyncIterable<ListedFile> {
  const { source } = place;
  if (isFolder) return withinLimits(filesOfFolder(source), place);
  return packedFiles(createReadStream(source), /\.t?gz$/.test(basename(source)), place);
}

/** Links are entries of their own kind and are not followed: what is outside of the folder is no part of the export. */
async function* filesOfFolder(source: string): AsyncIterable<ListedFile> {
  const found = await readdir(source, { recursive: true, withFileTypes: true });
  const paths = found.map((entry) => join(entry.parentPath, entry.name)).sort();
  for (const file of paths) {
    const status = await lstat(file);
    const kind = status.isFile() ? "file" : status.isDirectory() ? "directory" : "symlink";
    const path = relative(source, file).split(sep).join("/");
    yield { path, kind, size: status.isFile() ? status.size : 0, open: () => createReadStream(file) };
  }
}

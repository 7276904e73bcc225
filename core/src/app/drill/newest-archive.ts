import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { MANIFEST } from "../archive/archive-format.js";
import { ArchiveUnknownError } from "../archive/errors.js";

/**
 * The archive that a path means: itself, or the newest `.tar.gz` of a folder of them.
 *
 * @throws PLINTH_ARCHIVE_UNKNOWN (500) for a folder that has none
 */
export async function newestArchive(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder || existsSync(join(path, MANIFEST))) return path;
  const names = (await readdir(path)).filter((name) => name.endsWith(".tar.gz"));
  const files = await Promise.all(
    names.map(async (name) => ({ file: join(path, name), time: (await stat(join(path, name))).mtimeMs })),
  );
  const [newest] = files.sort((one, other) => other.time - one.time);
  if (!newest) throw new ArchiveUnknownError({ source: path, reason: "the folder has no .tar.gz" });
  return newest.file;
}

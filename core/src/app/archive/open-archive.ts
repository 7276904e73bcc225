import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { PlinthError, reasonOf } from "../../base/error.js";
import { withTemporaryFolder } from "../temporary-folder.js";
import { CHECKSUMS, FILES, MANIFEST, PEOPLE, SETTINGS } from "./archive-format.js";
import { ROWS_PART } from "./archived-rows.js";
import { ArchiveDamagedError, ArchiveTooLargeError, ArchiveUnknownError } from "./errors.js";
import { isFileKey } from "./file-store.js";
import { packedFiles } from "./packed-files.js";
import { type ListedFile, printable, type ReadGuard, type ReadLimits } from "./read-guard.js";

/** An archive whose parts are files of a folder. */
export interface OpenArchive {
  /** For messages: its path, or `-`. */
  readonly source: string;
  readonly folder: string;
  /** True: a file that `plinth export` wrote, so checksums have to be there. */
  readonly isPacked: boolean;
  readonly guard: ReadGuard;
}

/** What is to be opened. */
export interface ArchiveSource {
  /** Path of an archive or a folder; `-` is `input`. */
  readonly source: string;
  readonly input: Readable;
  readonly limits: ReadLimits;
}

/**
 * Opens an archive for the time of some work. One that is packed is unpacked beside the other temporary files first: so it
 * is known to be whole before anything of it is written, and its parts are read in the order that an import needs.
 *
 * @throws PLINTH_ARCHIVE_UNKNOWN, PLINTH_ARCHIVE_DAMAGED, PLINTH_ARCHIVE_TOO_LARGE (500)
 */
export async function withArchive<T>(
  { source, input, limits }: ArchiveSource,
  work: (archive: OpenArchive) => Promise<T>,
): Promise<T> {
  const guard = guardOf(source, limits);
  const found = source === "-" ? undefined : await stat(source).catch(() => undefined);
  if (source !== "-" && !found) throw new ArchiveUnknownError({ source, reason: "there is no such file" });
  if (found?.isDirectory()) return work({ source, folder: source, isPacked: false, guard });
  return withTemporaryFolder("archive", async (folder) => {
    await unpack(source === "-" ? input : createReadStream(source), folder, guard);
    return work({ source, folder, isPacked: true, guard });
  });
}

const guardOf = (source: string, limits: ReadLimits): ReadGuard => ({
  limits,
  tooLarge: (what, limit) => new ArchiveTooLargeError({ source, what, limit }),
  damaged: (reason) => new ArchiveDamagedError({ source, part: "the archive", reason }),
});

/** Only files whose names are those of parts are written, so nothing leads out of the folder. */
async function unpack(input: Readable, folder: string, guard: ReadGuard): Promise<void> {
  const seen = new Set<string>();
  for await (const { path, kind, open } of packedFiles(input, true, guard)) {
    if (kind === "directory") continue;
    if (kind !== "file" || !isPart(path))
      throw guard.damaged(`holds ${printable(path)} (${kind}), which is no part of it`);
    if (seen.has(path)) throw guard.damaged(`holds ${path} twice`);
    seen.add(path);
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await pipeline(open(), createWriteStream(file, { flags: "wx" })).catch((error: unknown) => {
      throw error instanceof PlinthError ? error : guard.damaged(`cannot be unpacked (${reasonOf(error)})`);
    });
  }
}

/** A part as a file that can be read. */
export const fileOf = ({ folder }: OpenArchive, part: string): Pick<ListedFile, "path" | "open"> => ({
  path: part,
  open: () => createReadStream(join(folder, part)) as AsyncIterable<Buffer>,
});

const SINGLE_PARTS: ReadonlySet<string> = new Set([MANIFEST, PEOPLE, SETTINGS, CHECKSUMS]);

/** Parts by their names: all else, such as a path that leads out of the folder, is refused. */
export function isPart(name: string): boolean {
  if (name.startsWith(FILES)) return isFileKey(name.slice(FILES.length));
  return SINGLE_PARTS.has(name) || CONTENT_PART.test(name) || ROWS_PART.test(name);
}

/** `content/<uid>/<n>.jsonl` */
export const CONTENT_PART = /^content\/([a-z0-9-]+::[a-z0-9-]+(?:\.[a-z0-9-]+)?)\/(\d{1,9})\.jsonl$/;

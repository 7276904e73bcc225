import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { PlinthError, reasonOf } from "../../base/error.js";
import { CHECKSUMS, FILES, MANIFEST, PEOPLE, SETTINGS } from "./archive-format.js";
import { ArchiveDamagedError, ArchiveUnknownError } from "./errors.js";
import { isFileKey } from "./file-store.js";

/** An archive whose parts are files of a folder. */
export interface OpenArchive {
  /** For messages: its path, or `-`. */
  readonly source: string;
  readonly folder: string;
  /** True: a file that `plinth export` wrote, so checksums have to be there. */
  readonly isPacked: boolean;
}

/**
 * Opens an archive for the time of some work. One that is packed is unpacked beside the other temporary files first: so it
 * is known to be whole before anything of it is written, and its parts are read in the order that an import needs.
 *
 * @param source - path of an archive or a folder; `-` is `input`.
 * @throws PLINTH_ARCHIVE_UNKNOWN, PLINTH_ARCHIVE_DAMAGED (500)
 */
export async function withArchive<T>(
  source: string,
  input: Readable,
  work: (archive: OpenArchive) => Promise<T>,
): Promise<T> {
  const found = source === "-" ? undefined : await stat(source).catch(() => undefined);
  if (source !== "-" && !found) throw new ArchiveUnknownError({ source, reason: "there is no such file" });
  if (found?.isDirectory()) return work({ source, folder: source, isPacked: false });
  const folder = await mkdtemp(join(tmpdir(), "plinth-archive-"));
  try {
    await unpack(source, source === "-" ? input : createReadStream(source), folder);
    return await work({ source, folder, isPacked: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpack(source: string, input: Readable, folder: string): Promise<void> {
  const unpacked = extract();
  const reading = pipeline(input, createGunzip(), unpacked).catch((error: unknown) => unpacked.destroy(error as Error));
  try {
    for await (const entry of unpacked) {
      const { name, type } = entry.header;
      // What ends the archive while an entry is read ends this loop too, which says why.
      entry.on("error", () => undefined);
      if (type !== "file" || !isPart(name)) throw damaged(source, name, "is no part of an archive");
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await pipeline(entry, createWriteStream(path, { flags: "wx" }));
    }
  } catch (error) {
    if (error instanceof PlinthError) throw error;
    throw damaged(source, "the archive", `cannot be read (${reasonOf(error)})`);
  } finally {
    unpacked.destroy();
    input.destroy();
    await reading;
  }
}

const SINGLE_PARTS: ReadonlySet<string> = new Set([MANIFEST, PEOPLE, SETTINGS, CHECKSUMS]);

/** Parts by their names: all else, such as a path that leads out of the folder, is refused. */
export function isPart(name: string): boolean {
  if (name.startsWith(FILES)) return isFileKey(name.slice(FILES.length));
  return SINGLE_PARTS.has(name) || CONTENT_PART.test(name);
}

/** `content/<uid>/<n>.jsonl` */
export const CONTENT_PART = /^content\/([a-z0-9-]+::[a-z0-9-]+(?:\.[a-z0-9-]+)?)\/(\d{1,9})\.jsonl$/;

const damaged = (source: string, part: string, reason: string) => new ArchiveDamagedError({ source, part, reason });

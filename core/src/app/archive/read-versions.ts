import type { LoadedVersion } from "../../documents/load/loaded-version.js";
import { ArchiveDamagedError } from "./errors.js";
import { CONTENT_PART, fileOf, type OpenArchive } from "./open-archive.js";
import { parseJson, readLines } from "./read-lines.js";

/** A line of a part. */
export interface ArchivedVersion {
  readonly uid: string;
  readonly version: LoadedVersion;
  readonly line: number;
  /** Characters of its line. */
  readonly length: number;
}

/**
 * The versions of a part of JSON lines; `checkVersion` says whether they are any.
 *
 * @throws PLINTH_ARCHIVE_DAMAGED (500) for a line that is not JSON, PLINTH_ARCHIVE_TOO_LARGE (500) for one beyond the limit
 */
export async function* readVersions(archive: OpenArchive, part: string): AsyncIterable<ArchivedVersion> {
  const type = CONTENT_PART.exec(part)?.[1];
  for await (const { text, line } of readLines(fileOf(archive, part), archive.guard)) {
    const refuse = (reason: string) => new ArchiveDamagedError({ source: archive.source, part, line, reason });
    const value = parseJson(text, refuse);
    if (type !== undefined) yield { uid: type, version: value as LoadedVersion, line, length: text.length };
    else {
      const { type: uid, version } = (value ?? {}) as { readonly type?: unknown; readonly version?: LoadedVersion };
      yield { uid: String(uid), version: version as LoadedVersion, line, length: text.length };
    }
  }
}

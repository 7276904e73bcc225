import { join } from "node:path";
import { reasonOf } from "../../base/error.js";
import type { LoadedVersion } from "../../documents/load/loaded-version.js";
import { ArchiveDamagedError } from "./errors.js";
import { CONTENT_PART, type OpenArchive } from "./open-archive.js";
import { readLines } from "./read-lines.js";

/** A line of a part. */
export interface ArchivedVersion {
  readonly uid: string;
  readonly version: LoadedVersion;
  readonly line: number;
}

/**
 * The versions of a part of JSON lines; `checkVersion` says whether they are any.
 *
 * @throws PLINTH_ARCHIVE_DAMAGED (500) for a line that is not JSON
 */
export async function* readVersions({ source, folder }: OpenArchive, part: string): AsyncIterable<ArchivedVersion> {
  const type = CONTENT_PART.exec(part)?.[1];
  for await (const { text, line } of readLines(join(folder, part))) {
    const value = parse(text, { source, part, line });
    if (type !== undefined) yield { uid: type, version: value as LoadedVersion, line };
    else {
      const { type: uid, version } = (value ?? {}) as { readonly type?: unknown; readonly version?: LoadedVersion };
      yield { uid: String(uid), version: version as LoadedVersion, line };
    }
  }
}

function parse(
  text: string,
  place: { readonly source: string; readonly part: string; readonly line: number },
): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ArchiveDamagedError({ ...place, reason: `is not JSON (${reasonOf(error)})` });
  }
}

import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { type ListedFile, printable } from "@plinth/core/archive";
import { SourceEncryptedError, SourceTooLargeError, SourceUnknownError, SourceVersionError } from "../errors.js";
import type { Issues } from "../issues.js";
import { listFiles } from "./export-files.js";
import type { ExportedAsset, StrapiExport } from "./export-format.js";
import { type ExportLimits, type ExportPlace, placeOf } from "./export-limits.js";
import { readExportLines, readJsonFile } from "./read-lines.js";
import { isFileKey } from "./stored-files.js";

const ASSETS = "assets/uploads/";

type Files = () => AsyncIterable<ListedFile>;

/**
 * Opens an export: `.tar.gz`, `.tar`, or the folder that one was unpacked into. It is read once as a whole, so that
 * damage of the archive is found before anything is written; entries that no export has, such as links and names that
 * lead elsewhere, become issues and are never read.
 *
 * @throws PLINTH_IMPORT_SOURCE_UNKNOWN, PLINTH_IMPORT_SOURCE_ENCRYPTED, PLINTH_IMPORT_SOURCE_VERSION,
 * PLINTH_IMPORT_SOURCE_BROKEN, PLINTH_IMPORT_SOURCE_TOO_LARGE
 */
export async function openExport(
  source: string,
  { limits, issues }: { readonly limits: ExportLimits; readonly issues: Issues },
): Promise<StrapiExport> {
  if (source.endsWith(".enc")) throw new SourceEncryptedError({ source });
  if (!existsSync(source)) throw new SourceUnknownError({ source, reason: "there is no such file" });
  const isFolder = (await stat(source)).isDirectory();
  const place = placeOf(source, limits);
  const files: Files = () => listFiles(place, isFolder);
  const { version, keys } = await survey(place, files, issues);
  if (!version.startsWith("5.")) throw new SourceVersionError({ source, version });
  return {
    source,
    version,
    keys,
    async *lines(folder) {
      let count = 0;
      for await (const file of files()) {
        if (file.kind !== "file" || !file.path.startsWith(`${folder}/`) || !file.path.endsWith(".jsonl")) continue;
        for await (const line of readExportLines(place, folder, file)) {
          count += 1;
          if (count > limits.lines)
            throw new SourceTooLargeError({ source, what: `lines in ${folder}`, limit: limits.lines });
          yield line;
        }
      }
    },
    async *assets(): AsyncIterable<ExportedAsset> {
      for await (const file of files()) {
        const key = keyOf(file);
        if (key !== undefined) yield { key, size: file.size, open: () => file.open() };
      }
    },
  };
}

/** Reads the whole export once: its version, the keys of its files, and what is in it that no export has. */
async function survey(
  place: ExportPlace,
  files: Files,
  issues: Issues,
): Promise<{ readonly version: string; readonly keys: ReadonlySet<string> }> {
  const keys = new Set<string>();
  let version: string | undefined;
  for await (const file of files()) {
    if (file.kind === "directory") continue;
    const reason = reasonAgainst(file);
    if (reason !== undefined) issues.add("the archive", `an entry is left out: ${reason}`, printable(file.path));
    const key = keyOf(file);
    if (key !== undefined) keys.add(key);
    if (file.path === "metadata.json" && file.kind === "file") version = versionOf(await readJsonFile(place, file));
  }
  if (version === undefined)
    throw new SourceUnknownError({ source: place.source, reason: "it holds no metadata.json" });
  return { version, keys };
}

/** Why an entry of an archive does not belong to an export. */
function reasonAgainst(file: ListedFile): string | undefined {
  if (file.kind !== "file") return `it is a ${file.kind}, and an export has files only`;
  if (file.path.startsWith(ASSETS))
    return keyOf(file) === undefined ? "no file is stored under such a name" : undefined;
  const isPlain = file.path.split("/").every((part) => /^[^\\\p{Cc}]+$/u.test(part) && part !== ".." && part !== ".");
  return isPlain ? undefined : "its name leads out of the export";
}

/** The key that the bytes of an entry have in the storage; undefined for what is no uploaded file. */
function keyOf({ kind, path }: ListedFile): string | undefined {
  const key = kind === "file" && path.startsWith(ASSETS) ? path.slice(ASSETS.length) : "";
  return isFileKey(key) ? key : undefined;
}

function versionOf(metadata: unknown): string {
  const version = (metadata as { readonly strapi?: { readonly version?: unknown } } | null)?.strapi?.version;
  return typeof version === "string" ? version : "of an unknown version";
}

import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { ContentModel } from "../../schema/model.js";
import { CHECKSUMS, type Checksum, FILES, FORMAT, MANIFEST, type Manifest, placeOf } from "./archive-format.js";
import { ROWS_PART } from "./archived-rows.js";
import { checkVersion } from "./check-version.js";
import { ArchiveDamagedError, ArchiveModelError, ArchiveUnknownError } from "./errors.js";
import { differencesOf } from "./model-shape.js";
import { CONTENT_PART, fileOf, isPart, type OpenArchive } from "./open-archive.js";
import { printable } from "./read-guard.js";
import { parseJson, readLines, readText } from "./read-lines.js";
import { readVersions } from "./read-versions.js";

/** What is known of an archive once all of it was read. */
export interface CheckedArchive extends OpenArchive {
  readonly manifest: Manifest;
  /** Parts of versions by name, in the order of their numbers. */
  readonly parts: readonly string[];
  /** Parts of rows of plugins' own tables, which those check. */
  readonly rows: readonly string[];
  /** By uid: how many versions there are, and the highest row id. */
  readonly totals: ReadonlyMap<string, TypeTotal>;
  /** The highest id of a component. */
  readonly highestComponent: number;
}

/** The versions of one type. */
export interface TypeTotal {
  count: number;
  highestId: number;
}

/**
 * Reads an archive as a whole: manifest against model, checksums, each line.
 *
 * @throws PLINTH_ARCHIVE_UNKNOWN, PLINTH_ARCHIVE_MODEL_DIFFERS, PLINTH_ARCHIVE_DAMAGED, PLINTH_ARCHIVE_TOO_LARGE (500)
 */
export async function checkArchive(archive: OpenArchive, model: ContentModel): Promise<CheckedArchive> {
  const manifest = await readManifest(archive);
  const differences = [
    ...(manifest.model ? differencesOf(manifest.model, model) : []),
    ...missingLocales(manifest, model),
  ];
  if (differences.length > 0) throw new ArchiveModelError({ source: archive.source, differences });
  const names = await partsOf(archive);
  await checkSums(archive, names);
  const rows = names.filter((name) => ROWS_PART.test(name));
  const parts = names.filter(
    (name) => name.endsWith(".jsonl") && name !== CHECKSUMS && !name.startsWith(FILES) && !rows.includes(name),
  );
  const totals = new Map<string, TypeTotal>();
  let highestComponent = 0;
  for (const part of parts)
    for await (const { uid, version, line } of readVersions(archive, part)) {
      const { reason, highestComponent: highest } = checkVersion(model, uid, version);
      if (reason !== undefined) throw new ArchiveDamagedError({ source: archive.source, part, line, reason });
      const total = totals.get(uid) ?? { count: 0, highestId: 0 };
      totals.set(uid, { count: total.count + 1, highestId: Math.max(total.highestId, version.id) });
      highestComponent = Math.max(highestComponent, highest);
    }
  return { ...archive, manifest, parts, rows, totals, highestComponent };
}

async function readManifest(archive: OpenArchive): Promise<Manifest> {
  const { source, folder } = archive;
  const unknown = (reason: string) => new ArchiveUnknownError({ source, reason });
  if (!existsSync(join(folder, MANIFEST))) throw unknown(`it holds no ${MANIFEST}`);
  const refuse = (reason: string) => new ArchiveDamagedError({ source, part: MANIFEST, reason });
  const text = await readText(fileOf(archive, MANIFEST), archive.guard);
  const manifest = parseJson(text, refuse) as Manifest | null;
  if (typeof manifest?.format !== "number") throw unknown(`its ${MANIFEST} says no format`);
  if (manifest.format > FORMAT) throw unknown(`it is of format ${manifest.format}, and this version reads ${FORMAT}`);
  return manifest;
}

/** Locales that the app has not, and that no documents of the archive make. */
function missingLocales({ locales = [], model: theirs }: Manifest, model: ContentModel): readonly string[] {
  const makesThem = [...model.contentTypes.values()].some(
    (type) => placeOf(type).isLocales && theirs?.contentTypes[type.uid] !== undefined,
  );
  if (makesThem) return [];
  return locales.filter((code) => !model.locales.includes(code)).map((code) => `the locale ${code} is missing here`);
}

async function partsOf({ source, folder }: OpenArchive): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = found
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const name = relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/");
      if (entry.isFile() && isPart(name)) return name;
      throw new ArchiveDamagedError({ source, part: printable(name), reason: "is no part of an archive" });
    });
  return names.sort((one, other) => numberOf(one) - numberOf(other) || (one < other ? -1 : 1));
}

const numberOf = (name: string): number => Number(CONTENT_PART.exec(name)?.[2] ?? 0);

async function checkSums(archive: OpenArchive, names: readonly string[]): Promise<void> {
  const { source, folder, isPacked } = archive;
  const damaged = (part: string, reason: string) => new ArchiveDamagedError({ source, part, reason });
  if (!names.includes(CHECKSUMS)) {
    if (isPacked) throw damaged(CHECKSUMS, "is missing: the archive ends early");
    return;
  }
  const wanted = new Set(names.filter((name) => name !== CHECKSUMS));
  for await (const { text } of readLines(fileOf(archive, CHECKSUMS), archive.guard)) {
    const { path, sha256 } = parseChecksum(text) ?? {};
    if (path === undefined) throw damaged(CHECKSUMS, "has a line that is no checksum");
    if (!wanted.delete(path)) throw damaged(printable(path), "is missing");
    if ((await sha256Of(join(folder, path))) !== sha256)
      throw damaged(path, "is not what was written: its sha256 differs");
  }
  for (const path of wanted) throw damaged(path, "has no checksum");
}

function parseChecksum(text: string): Checksum | undefined {
  try {
    const value = parseJson(text, (reason) => new TypeError(reason)) as Checksum | null;
    return typeof value?.path === "string" ? value : undefined;
  } catch {
    // Its line is reported as what it is not.
    return undefined;
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest("hex");
}

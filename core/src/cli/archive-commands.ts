import { createWriteStream } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Writable } from "node:stream";
import type { CommandCall, ProjectCommand } from "../app/command.js";
import type { ImportedType } from "../app/archive/import-options.js";
import { ArchiveOptionError } from "../app/archive/errors.js";
import type { OnConflict } from "../documents/load/loaded-version.js";
import { coreVersion } from "./core-package.js";

const STREAM = "-";
const CONFLICTS: readonly OnConflict[] = ["skip", "newer", "overwrite"];

/** `plinth export`: an archive of content, files, people and settings. */
export const exportCommand: ProjectCommand = {
  description: "write content, files, people and settings to an archive (.tar.gz); `-` is stdout",
  arguments: ["<file>"],
  options: {
    "--types <uid...>": "of these content-types only",
    "--since <time>": "only what was changed then (ISO 8601) or later",
    "--no-files": "leave out the bytes of files",
    "--with-secrets": "with passwords as their hashes, and API tokens",
    "--primary": "read from the primary, although there are replicas",
  },
  async runOnProject({ project, arguments: { file = "" }, options, say, stdout, signal }) {
    const { exportArchive } = await import("../app/archive/export-archive.js");
    const path = resolve(project.root, file);
    const settings = {
      version: coreVersion(),
      types: options["types"] as readonly string[] | undefined,
      since: timeOf(options["since"]),
      withFiles: options["files"] !== false,
      withSecrets: options["withSecrets"] === true,
      fromPrimary: options["primary"] === true,
      ...{ say, signal },
    };
    const writeTo = (output: () => Writable) =>
      project.withApp((app) => exportArchive(app, { ...settings, output: output() }));
    const report = file === STREAM ? await writeTo(() => stdout) : await writeWhole(path, writeTo);
    for (const key of report.missing) say(`the bytes of ${key} are left out: the storage has none`);
    say(`exported ${report.versions} versions and ${report.files} files, ${report.bytes} bytes`);
  },
};

/**
 * Writes a file that has its name once it is whole: until then it is in a temporary folder beside, on the same disk.
 *
 * @throws PLINTH_ARCHIVE_OPTION_INVALID (500)
 */
async function writeWhole<T>(path: string, write: (output: () => Writable) => Promise<T>): Promise<T> {
  const folder = dirname(path);
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    throw new ArchiveOptionError({ option: "<file>", value: path, expected: "in a folder that exists" });
  const { withTemporaryFolder } = await import("../app/temporary-folder.js");
  return withTemporaryFolder(
    "export",
    async (beside) => {
      const unfinished = join(beside, "archive.tar.gz");
      const result = await write(() => createWriteStream(unfinished, { mode: 0o600 }));
      await rename(unfinished, path);
      return result;
    },
    folder,
  );
}

function timeOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const time = new Date(String(value));
  if (Number.isNaN(time.getTime()))
    throw new ArchiveOptionError({
      option: "--since",
      value: String(value),
      expected: "a time such as 2026-01-31T12:00:00Z",
    });
  return time.toISOString();
}

/** `plinth import`: an archive, or a folder with the same parts, into this app. */
export const importArchiveCommand: ProjectCommand = {
  description: "bring in what `plinth export` wrote, or a folder with the same parts; `-` is stdin",
  arguments: ["<file>"],
  options: {
    "--on-conflict <what>": "what becomes of versions that are there: skip (the default), newer, overwrite",
    "--dry-run": "check everything, and change nothing",
    "--json": "print JSON",
    "--no-limits": "take archives of any size; only for one whose author you trust",
  },
  async runOnProject({ project, arguments: { file = "" }, options, print, table, say, stdin, signal }) {
    const onConflict = conflictOf(options["onConflict"] ?? "skip");
    const isDryRun = options["dryRun"] === true;
    const { withArchive } = await import("../app/archive/open-archive.js");
    const { NO_READ_LIMITS, READ_LIMITS } = await import("../app/archive/read-guard.js");
    const { checkArchive } = await import("../app/archive/check-archive.js");
    const { importArchive } = await import("../app/archive/import-archive.js");
    const source = file === STREAM ? STREAM : resolve(project.root, file);
    const limits = options["limits"] === false ? NO_READ_LIMITS : READ_LIMITS;
    const types = await withArchive({ source, input: stdin, limits }, async (archive) => {
      say(`checking ${file}`);
      const checked = await checkArchive(archive, project.model);
      return project.withApp((app) => importArchive(app, checked, { onConflict, isDryRun, say, signal }));
    });
    print(options["json"] ? JSON.stringify({ types }, undefined, 2) : describe(types, isDryRun, table));
  },
};

function conflictOf(value: unknown): OnConflict {
  const found = CONFLICTS.find((each) => each === value);
  if (found) return found;
  const expected = CONFLICTS.join(", ").replace(/, (\w+)$/, " or $1");
  throw new ArchiveOptionError({ option: "--on-conflict", value: String(value), expected });
}

function describe(types: readonly ImportedType[], isDryRun: boolean, table: CommandCall["table"]): string {
  const rows = types.map(({ uid, versions, written, present, refused }) => [
    uid,
    ...[versions, written, present, refused.length].map(String),
  ]);
  const refused = types.flatMap(({ uid, refused: ids }) => ids.map((id) => `${uid} ${id}`));
  return [
    table(["TYPE", "VERSIONS", isDryRun ? "TO WRITE" : "WRITTEN", "PRESENT", "REFUSED"], rows),
    ...(refused.length > 0 ? [`\nOther documents have their unique values:\n${refused.join("\n")}`] : []),
    ...(isDryRun ? ["\nNothing was changed."] : []),
  ].join("\n");
}

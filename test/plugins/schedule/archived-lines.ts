import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { App } from "@plinth/core";
import { checkArchive } from "#core/app/archive/check-archive.js";
import { exportArchive } from "#core/app/archive/export-archive.js";
import { importArchive } from "#core/app/archive/import-archive.js";
import type { ImportedType } from "#core/app/archive/import-options.js";
import { withArchive } from "#core/app/archive/open-archive.js";
import { READ_LIMITS } from "#core/app/archive/read-guard.js";
import { partsOf, writeParts } from "../../core/app/archive/archive-project.js";

const PART = "rows/plugin::schedule.plans.jsonl";

const say = (line: string) => void line;

/** Imports into an app, and gives what became of its plans and releases. */
async function importFolder(app: App, source: string, isDryRun: boolean): Promise<ImportedType | undefined> {
  const archive = { source, input: process.stdin, limits: READ_LIMITS };
  const types = await withArchive(archive, async (open) =>
    importArchive(app, await checkArchive(open, app.model), { onConflict: "skip", isDryRun, say }),
  );
  return types.find(({ uid }) => uid === "plugin::schedule.plans");
}

/** Exports an app: the lines of its plans and releases, and how the whole is imported. */
export async function exported(app: App) {
  const output = new PassThrough();
  const options = { version: "1.0.0", types: undefined, since: undefined, fromPrimary: true, say };
  const bytes = buffer(output);
  await exportArchive(app, { output, ...options, withFiles: false, withSecrets: false });
  const parts = partsOf(await bytes);
  const folder = writeParts(parts);
  const lines = String(parts.get(PART)).trim().split("\n");
  return {
    lines: lines.map((line) => JSON.parse(line) as object),
    importInto: (into: App, isDryRun = false) => importFolder(into, folder, isDryRun),
  };
}

/** Imports an archive that somebody wrote by hand. */
export const importLines = (app: App, lines: readonly unknown[], part = PART): Promise<ImportedType | undefined> =>
  importFolder(
    app,
    writeParts(
      new Map([
        ["manifest.json", '{"format":1}'],
        [part, lines.map((line) => JSON.stringify(line)).join("\n")],
      ]),
    ),
    false,
  );

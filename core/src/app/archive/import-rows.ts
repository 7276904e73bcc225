import type { App } from "../../kernel/app.js";
import { type ArchivedRows, rowsOf, rowsUidOf } from "./archived-rows.js";
import type { CheckedArchive } from "./check-archive.js";
import { ArchiveDamagedError } from "./errors.js";
import type { ImportedType, ImportOptions } from "./import-options.js";
import { fileOf } from "./open-archive.js";
import { parseJson, readLines } from "./read-lines.js";

/** How many lines one transaction writes. */
const BATCH = 200;

/** Checks the rows of plugins before anything is written. @throws PLINTH_ARCHIVE_DAMAGED (500), PLINTH_ARCHIVE_TOO_LARGE (500) */
export async function checkRows(app: App, archive: CheckedArchive): Promise<void> {
  for (const part of archive.rows) {
    const rows = rowsOf(app, part);
    for await (const { value, refuse } of rows ? linesOf(archive, part) : []) {
      const reason = rows?.faultOf(app, value);
      if (reason !== undefined) throw refuse(reason);
    }
  }
}

/** Writes the rows of plugins; what is there already stays, with every `onConflict`. */
export async function importRows(
  app: App,
  archive: CheckedArchive,
  options: Pick<ImportOptions, "isDryRun" | "say" | "signal">,
): Promise<readonly ImportedType[]> {
  const results: ImportedType[] = [];
  for (const part of archive.rows) {
    const rows = rowsOf(app, part);
    if (rows) results.push(await importPart({ app, archive, part, rows, ...options }));
    else options.say(`${part} is left out: this app has no plugin that takes it`);
  }
  return results;
}

interface PartImport extends Pick<ImportOptions, "isDryRun" | "signal"> {
  readonly app: App;
  readonly archive: CheckedArchive;
  readonly part: string;
  readonly rows: ArchivedRows;
}

async function importPart({ app, archive, part, rows, isDryRun, signal }: PartImport): Promise<ImportedType> {
  const result: ImportedType = { uid: rowsUidOf(part), versions: 0, written: 0, present: 0, refused: [] };
  const write = async (lines: readonly unknown[]) => {
    signal?.throwIfAborted();
    const missing = await app.db.transaction(async () => {
      const found = await rows.missing(app, lines);
      if (!isDryRun && found.length > 0) await rows.write(app, found);
      return found.length;
    });
    result.versions += lines.length;
    result.written += missing;
    result.present += lines.length - missing;
  };
  let waiting: unknown[] = [];
  for await (const { value } of linesOf(archive, part)) {
    waiting.push(value);
    if (waiting.length < BATCH) continue;
    await write(waiting);
    waiting = [];
  }
  if (waiting.length > 0) await write(waiting);
  return result;
}

interface RowLine {
  readonly value: unknown;
  refuse(reason: string): Error;
}

async function* linesOf(archive: CheckedArchive, part: string): AsyncIterable<RowLine> {
  for await (const { text, line } of readLines(fileOf(archive, part), archive.guard)) {
    const refuse = (reason: string) => new ArchiveDamagedError({ source: archive.source, part, line, reason });
    yield { value: parseJson(text, refuse), refuse };
  }
}

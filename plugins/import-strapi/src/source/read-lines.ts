import { type ListedFile, parseJson, readLines, readText } from "@plinth/core/archive";
import { SourceBrokenError } from "../errors.js";
import { checkLine } from "./check-line.js";
import type { ExportedLines } from "./export-format.js";
import type { ExportPlace } from "./export-limits.js";

/**
 * The lines of a file of one of the folders that hold JSON lines; empty ones are passed over.
 *
 * @throws PLINTH_IMPORT_SOURCE_BROKEN with file and line, PLINTH_IMPORT_SOURCE_TOO_LARGE for a line beyond the limit
 */
export async function* readExportLines<Folder extends keyof ExportedLines>(
  place: ExportPlace,
  folder: Folder,
  file: ListedFile,
): AsyncIterable<ExportedLines[Folder]> {
  for await (const { text, line } of readLines(file, place)) {
    const refuse = (reason: string) => new SourceBrokenError({ source: place.source, file: file.path, line, reason });
    const value = parseJson(text, refuse);
    const reason = checkLine(folder, value);
    if (reason !== undefined) throw refuse(reason);
    yield value as ExportedLines[Folder];
  }
}

/** Reads a file that is one JSON value. @throws PLINTH_IMPORT_SOURCE_BROKEN, PLINTH_IMPORT_SOURCE_TOO_LARGE */
export async function readJsonFile(place: ExportPlace, file: ListedFile): Promise<unknown> {
  const refuse = (reason: string) => new SourceBrokenError({ source: place.source, file: file.path, reason });
  return parseJson(await readText(file, place), refuse);
}

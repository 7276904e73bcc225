import { reasonOf } from "@plinth/core";
import { checkLine } from "./check-line.js";
import { SourceBrokenError, SourceTooLargeError } from "../errors.js";
import type { ExportFile, ExportPlace } from "./export-files.js";
import type { ExportedLines } from "./export-format.js";
import { MAX_LEVELS } from "./export-limits.js";

const NEWLINE = 0x0a;

/** Where a line is: the number counts from 1. */
interface LinePlace {
  readonly source: string;
  readonly file: string;
  readonly line?: number;
}

/**
 * The lines of a file of one of the folders that hold JSON lines; empty ones are passed over.
 *
 * @throws PLINTH_IMPORT_SOURCE_BROKEN with file and line, PLINTH_IMPORT_SOURCE_TOO_LARGE for a line beyond the limit
 */
export async function* readLines<Folder extends keyof ExportedLines>(
  place: ExportPlace,
  folder: Folder,
  file: ExportFile,
): AsyncIterable<ExportedLines[Folder]> {
  let number = 0;
  for await (const text of splitLines(place, file)) {
    number += 1;
    if (text.trim() === "") continue;
    const line = { source: place.source, file: file.path, line: number };
    const value = parseJson(text, line);
    const reason = checkLine(folder, value);
    if (reason !== undefined) throw new SourceBrokenError({ ...line, reason });
    yield value as ExportedLines[Folder];
  }
}

/** Reads a file that is one JSON value. @throws PLINTH_IMPORT_SOURCE_BROKEN, PLINTH_IMPORT_SOURCE_TOO_LARGE */
export async function readJsonFile(place: ExportPlace, file: ExportFile): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file.open()) {
    bytes += chunk.length;
    assertLength(bytes, place, file);
    parts.push(chunk);
  }
  return parseJson(Buffer.concat(parts).toString("utf8"), { source: place.source, file: file.path });
}

async function* splitLines(place: ExportPlace, file: ExportFile): AsyncIterable<string> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file.open()) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      assertLength(bytes + end - start, place, file);
      yield textOf([...parts, chunk.subarray(start, end)]);
      [parts, bytes, start] = [[], 0, end + 1];
    }
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    assertLength(bytes, place, file);
  }
  yield textOf(parts);
}

const textOf = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString("utf8");

function assertLength(bytes: number, { source, limits }: ExportPlace, { path }: ExportFile): void {
  if (bytes > limits.lineBytes)
    throw new SourceTooLargeError({ source, what: `bytes in a line of ${path}`, limit: limits.lineBytes });
}

function parseJson(text: string, place: LinePlace): unknown {
  if (isDeep(text)) throw new SourceBrokenError({ ...place, reason: `is nested deeper than ${MAX_LEVELS} levels` });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SourceBrokenError({ ...place, reason: `is not JSON (${reasonOf(error)})` });
  }
}

/** Whether a text opens more brackets than a line may: asked before it is parsed, which costs memory for each of them. */
function isDeep(text: string): boolean {
  let [level, isInText] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) isInText = !isInText;
    else if (isInText) at += code === 0x5c ? 1 : 0;
    else if (code === 0x5b || code === 0x7b) level += 1;
    else if (code === 0x5d || code === 0x7d) level -= 1;
    if (level > MAX_LEVELS) return true;
  }
  return false;
}

import { reasonOf } from "../../base/error.js";
import type { ListedFile, ReadGuard } from "./read-guard.js";
import { printable } from "./read-guard.js";

const NEWLINE = 0x0a;

/** Levels of arrays and objects of a line: the 200 of a json attribute, and those around it. Deeper ones exhaust a stack. */
const MAX_LEVELS = 250;

/** A line that is not empty. */
export interface Line {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/**
 * The lines of a file, empty ones left out. `node:readline` would end one at U+2028, too.
 *
 * @param guard - none for a file of our own.
 * @throws what the guard's `tooLarge` makes, for a line beyond `lineBytes`
 */
export async function* readLines(file: Pick<ListedFile, "path" | "open">, guard?: ReadGuard): AsyncIterable<Line> {
  let parts: Buffer[] = [];
  let [bytes, line] = [0, 0];
  const taken = (last: Buffer): Line => {
    line += 1;
    const text = Buffer.concat([...parts, last]).toString("utf8");
    [parts, bytes] = [[], 0];
    return { text, line };
  };
  for await (const chunk of file.open()) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      assertLength(bytes + end - start, file.path, guard);
      const next = taken(chunk.subarray(start, end));
      start = end + 1;
      if (next.text.trim() !== "") yield next;
    }
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    assertLength(bytes, file.path, guard);
  }
  const last = taken(Buffer.alloc(0));
  if (last.text.trim() !== "") yield last;
}

/** The whole text of a file that is one JSON value. @throws what the guard's `tooLarge` makes, beyond `lineBytes` */
export async function readText(file: Pick<ListedFile, "path" | "open">, guard: ReadGuard): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file.open()) {
    bytes += chunk.length;
    assertLength(bytes, file.path, guard);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString("utf8");
}

function assertLength(bytes: number, path: string, guard: ReadGuard | undefined): void {
  if (!guard || bytes <= guard.limits.lineBytes) return;
  throw guard.tooLarge(`bytes in a line of ${printable(path)}`, guard.limits.lineBytes);
}

/**
 * Reads a JSON value that is not nested beyond all reason.
 *
 * @param refuse - makes the error; `reason` completes "line 3 ...".
 */
export function parseJson(text: string, refuse: (reason: string) => Error): unknown {
  if (isDeep(text)) throw refuse(`is nested deeper than ${MAX_LEVELS} levels`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuse(`is not JSON (${reasonOf(error)})`);
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

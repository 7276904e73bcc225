import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { PolyglotError } from "../errors.js";

/** Long enough not to occur in compressed bytes by chance. */
const MARKUP = [
  { what: "HTML", pattern: /<script[\s/>]|<iframe[\s/>]|<html[\s>]|<!doctype html/i },
  { what: "SVG", pattern: /<svg[^<>]{0,300}xmlns/i },
  { what: "PHP", pattern: /<\?php\s/i },
] as const;

/** Other programs look for a PDF that far into a file, and for a ZIP's directory that far from its end. */
const PDF_SEARCH_BYTES = 1024;
const ZIP_COMMENT_BYTES = 65_535;
const ZIP_END_BYTES = 22;

/**
 * Refuses a file that is an image and something else as well.
 *
 * @throws PLINTH_UPLOAD_POLYGLOT (400)
 */
export async function refusePolyglotImage(path: string, { name, mime }: { name: string; mime: string }): Promise<void> {
  const what = (await findInEnds(path)) ?? (await scanFile(path, MARKUP, { encoding: "windows-1252" }))?.what;
  if (what !== undefined) throw new PolyglotError({ name, mime, what });
}

async function findInEnds(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (length: number, position: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    if ((await read(PDF_SEARCH_BYTES, 0)).includes("%PDF-")) return "PDF";
    const tailBytes = Math.min(size, ZIP_COMMENT_BYTES + ZIP_END_BYTES);
    return hasZipEnd(await read(tailBytes, size - tailBytes)) ? "ZIP" : undefined;
  } finally {
    await file.close();
  }
}

/** Whether a ZIP ends here: the mark, and a comment that is as long as it says. */
function hasZipEnd(tail: Buffer): boolean {
  for (let at = tail.indexOf("PK\u0005\u0006"); at >= 0; at = tail.indexOf("PK\u0005\u0006", at + 1)) {
    const commentAt = at + ZIP_END_BYTES;
    if (commentAt <= tail.length && commentAt + tail.readUInt16LE(commentAt - 2) <= tail.length) return true;
  }
  return false;
}

/** Overlap of two parts, in characters. */
const OVERLAP = 512;

/** How a file is scanned. */
interface ScanOptions {
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  /** Normalises the text, so that patterns need not match every spelling. */
  readonly normalize?: (text: string) => string;
}

/**
 * Looks for patterns of at most 512 characters in a whole file, part by part.
 *
 * @returns the first pattern that matches; undefined when none does.
 */
async function scanFile<P extends { readonly pattern: RegExp }>(
  path: string,
  patterns: readonly P[],
  { encoding, normalize = (text) => text }: ScanOptions,
): Promise<P | undefined> {
  const decoder = new TextDecoder(encoding);
  let window = "";
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    window = normalize(window.slice(-OVERLAP) + decoder.decode(chunk as Buffer, { stream: true }));
    const found = patterns.find(({ pattern }) => pattern.test(window));
    if (found) return found;
  }
  return undefined;
}

import { createReadStream } from "node:fs";

/** Overlap of two parts, in characters. */
const OVERLAP = 512;

/** How a file is scanned. */
export interface ScanOptions {
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  /** Normalises the text, so that patterns need not match every spelling. */
  readonly normalize?: (text: string) => string;
}

/**
 * Looks for patterns of at most 512 characters in a whole file, part by part.
 *
 * @returns the first pattern that matches; undefined when none does.
 */
export async function scanFile<P extends { readonly pattern: RegExp }>(
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

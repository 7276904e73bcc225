import { open } from "node:fs/promises";

/** Bytes from the start of a file that are looked at to tell texts from other files. */
const HEAD_BYTES = 64 * 1024;

/** Control characters that texts do not have; tab, line feed, form feed, return and escape they may. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/** The first bytes of a file. */
export async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Reads the start of a file as text. Undefined when it is binary. */
export function readText(head: Buffer): string | undefined {
  const text = new TextDecoder(encodingOf(head)).decode(head, { stream: true });
  return CONTROLS.test(text) ? undefined : text;
}

/** How a text is encoded: by its byte order mark, else UTF-8 where it fits, else as old office programs write. */
export function encodingOf(head: Buffer): "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  try {
    // As a stream, so that a character that is cut at the end is not an error.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return "utf-8";
  } catch (error) {
    if (error instanceof TypeError) return "windows-1252";
    throw error;
  }
}

import { createReadStream } from "node:fs";

const NEWLINE = 0x0a;

/** The lines of a file, empty ones left out, with their numbers from 1. `node:readline` would end one at U+2028, too. */
export async function* readLines(file: string): AsyncIterable<{ readonly text: string; readonly line: number }> {
  let parts: Buffer[] = [];
  let line = 0;
  const taken = (last: Buffer): string => {
    line += 1;
    const text = Buffer.concat([...parts, last]).toString("utf8");
    parts = [];
    return text;
  };
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const text = taken(chunk.subarray(start, end));
      start = end + 1;
      if (text.trim() !== "") yield { text, line };
    }
    parts.push(chunk.subarray(start));
  }
  const text = taken(Buffer.alloc(0));
  if (text.trim() !== "") yield { text, line };
}

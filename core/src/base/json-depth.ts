/** How deep a text of JSON is nested, told without parsing it. */

/** Codes of the characters that count. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/**
 * Whether objects and lists in a text of JSON are nested more than `levels` deep. A parser takes a hundred times as long to
 * build them, so texts of clients are asked for this before they are parsed. Text that is not JSON is left to the parser.
 */
export function isJsonDeeper(text: string, levels: number): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === LIST || code === OBJECT) open += 1;
    else if (code === LIST_END || code === OBJECT_END) open -= 1;
    if (open > levels) return true;
  }
  return false;
}

/** Where the string ends that begins at `start`. A quote behind an odd number of backslashes is one of its characters. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

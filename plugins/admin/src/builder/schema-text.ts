/** A value in the text of a JSON file. */
interface TextNode {
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
  readonly value: unknown;
  readonly members?: ReadonlyMap<string, TextNode>;
  readonly items?: readonly TextNode[];
}

/** How a file is written. */
interface Style {
  readonly text: string;
  readonly indent: string;
  readonly lineBreak: string;
  /** Whether short objects and lists stand on one line. */
  readonly isCompact: boolean;
}

/** A new object or list stands on one line up to this column. */
const LINE = 100;

/** The text of a new file, as `plinth generate` writes it. */
export const newText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/**
 * Writes another value into the text of a JSON file. What stays the same keeps its text; what is new is written in the way
 * of the file: its indentation, its line breaks, short objects on one line where the file has such, the end of the file.
 *
 * @param text - JSON
 * @param value - data of JSON, whose keys are in the order in which they are to stand
 */
export function rewriteText(text: string, value: unknown): string {
  const start = text.search(/[^\s\uFEFF]/);
  const root = new TextReader(text).read(start);
  const [, indent = "  "] = /\n([ \t]+)\S/.exec(text) ?? [];
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const style = { text, indent, lineBreak, isCompact: hasCompact(root, text, true) };
  return text.slice(0, root.start) + write(value, root, { style, indent: "", column: 0 }) + text.slice(root.end);
}

interface Place {
  readonly style: Style;
  /** What the line begins with. */
  readonly indent: string;
  /** Characters before the value in its line. */
  readonly column: number;
}

function write(value: unknown, node: TextNode | undefined, place: Place): string {
  const { style, indent, column } = place;
  const old = node && style.text.slice(node.start, node.end);
  if (old !== undefined && isSame(node?.value, value)) return old;
  const entries = entriesOf(value);
  if (!entries) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (entries.length === 0) return `${open}${close}`;
  const line = oneLine(value);
  const isOneLine = old === undefined ? style.isCompact : !old.includes("\n") && entriesOf(node?.value)?.length !== 0;
  if (isOneLine && indent !== "" && column + line.length <= LINE) return line;
  const inner = indent + style.indent;
  const lines = entries.map(([key, item]) => {
    const name = Array.isArray(value) ? "" : `${JSON.stringify(key)}: `;
    const child = node?.members?.get(key) ?? node?.items?.[Number(key)];
    return inner + name + write(item, child, { style, indent: inner, column: inner.length + name.length });
  });
  return [open, lines.join(`,${style.lineBreak}`), indent + close].join(style.lineBreak);
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  return typeof value === "object" && value !== null ? Object.entries(value) : undefined;
}

/** `{ "type": "string" }`, `["a", "b"]`. */
function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  const entries = entriesOf(value);
  if (!entries) return JSON.stringify(value);
  if (entries.length === 0) return "{}";
  return `{ ${entries.map(([key, item]) => `${JSON.stringify(key)}: ${oneLine(item)}`).join(", ")} }`;
}

/** The order of keys counts. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether an object or list within another has something in it and no line break. */
function hasCompact({ start, end, members, items }: TextNode, text: string, isRoot = false): boolean {
  const inner = [...(members?.values() ?? []), ...(items ?? [])];
  if (!isRoot && inner.length > 0 && !text.slice(start, end).includes("\n")) return true;
  return inner.some((node) => hasCompact(node, text));
}

const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}]+/y;

/** Reads JSON with the place of each value; the text has been parsed before, so it is JSON. */
class TextReader {
  #at = 0;

  constructor(private readonly text: string) {}

  read(from: number): TextNode {
    this.#at = from;
    return this.#value();
  }

  #value(): TextNode {
    this.#skip();
    const start = this.#at;
    const sign = this.text[start];
    if (sign === "{") return this.#object(start);
    if (sign === "[") return this.#list(start);
    return { start, ...this.#scalar(sign === '"' ? STRING : SCALAR) };
  }

  #object(start: number): TextNode {
    const members = new Map<string, TextNode>();
    this.#at += 1;
    while (!this.#closes("}")) {
      const key = this.#scalar(STRING).value as string;
      this.#skip();
      this.#at += 1;
      members.set(key, this.#value());
    }
    const value = Object.fromEntries([...members].map(([key, node]) => [key, node.value]));
    return { start, end: this.#at, members, value };
  }

  #list(start: number): TextNode {
    const items: TextNode[] = [];
    this.#at += 1;
    while (!this.#closes("]")) items.push(this.#value());
    return { start, end: this.#at, items, value: items.map(({ value }) => value) };
  }

  /** Goes on to the next entry, or behind the end. */
  #closes(sign: string): boolean {
    this.#skip();
    if (this.text[this.#at] === ",") this.#at += 1;
    this.#skip();
    if (this.text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #scalar(pattern: RegExp): { readonly end: number; readonly value: unknown } {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.text) ?? [];
    this.#at += found.length;
    return { end: this.#at, value: JSON.parse(found) };
  }

  #skip(): void {
    while (/\s/.test(this.text[this.#at] ?? "")) this.#at += 1;
  }
}

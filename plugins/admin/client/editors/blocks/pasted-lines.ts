import type { Keys, ListFormat, Modifier } from "./schema.js";

/** What a line becomes. Lines that share one become one block. */
export type LineStart =
  | { readonly type: "paragraph" }
  | { readonly type: "quote" }
  | { readonly type: "heading"; readonly level: number }
  | { readonly type: "code"; readonly language?: string }
  /** Of lists around the item, the outermost first. */
  | { readonly type: "item"; readonly lists: readonly ListFormat[] };

/** A piece of text that looks the same all over. */
export interface Leaf {
  readonly text: string;
  readonly modifiers: readonly Modifier[];
  readonly url: string | undefined;
}

/** A line of text that is read of HTML. */
export interface Line {
  readonly start: LineStart;
  readonly leaves: Leaf[];
}

/** Makes blocks of lines: blanks as browsers show them, items in their lists, lines of one start joined. */
export function blocksOfLines(lines: readonly Line[]): readonly Keys[] {
  const whole = joinLines(lines.map(trimLine).filter(({ leaves }) => leaves.length > 0));
  const blocks: Keys[] = [];
  let items: Line[] = [];
  const closeLists = () => {
    if (items.length > 0) blocks.push(...listsOf(items, 0));
    items = [];
  };
  for (const line of whole) {
    if (line.start.type === "item") items.push(line);
    else {
      closeLists();
      blocks.push({ ...line.start, children: inlinesOf(line.leaves) });
    }
  }
  closeLists();
  return blocks;
}

/** A line without blanks at its ends and before or after a line break; no-break spaces alone, as Word writes them, are nothing. */
function trimLine({ start, leaves }: Line): Line {
  if (start.type === "code")
    return { start, leaves: [{ text: textOf(leaves).replace(/\n$/, ""), modifiers: [], url: undefined }] };
  const kept: Leaf[] = [];
  let last = "\n";
  for (const leaf of leaves) {
    const blank = last === " " || last === "\n" ? /^ +/ : /^$/;
    const text = leaf.text.replace(blank, "");
    if (text === "") continue;
    if (text.startsWith("\n")) trimEnd(kept);
    kept.push({ ...leaf, text });
    last = text.at(-1) ?? last;
  }
  trimEnd(kept);
  return { start, leaves: /^[\s\u00a0]*$/.test(textOf(kept)) ? [] : kept };
}

function trimEnd(leaves: Leaf[]): void {
  for (let last = leaves.pop(); last; last = leaves.pop()) {
    const text = last.text.trimEnd();
    if (text === "") continue;
    leaves.push({ ...last, text });
    return;
  }
}

const textOf = (leaves: readonly Leaf[]): string => leaves.map(({ text }) => text).join("");

/** Paragraphs in one quote or item are lines of it. Paragraphs of their own share the start of a document, which is no block. */
function joinLines(lines: readonly Line[]): readonly Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    const isSame = last?.start === line.start && line.start.type !== "paragraph";
    if (isSame) last.leaves.push({ text: "\n", modifiers: [], url: undefined }, ...line.leaves);
    else joined.push({ start: line.start, leaves: [...line.leaves] });
  }
  return joined;
}

const listsAt = (line: Line): readonly ListFormat[] => (line.start.type === "item" ? line.start.lists : []);

/** Lists of one depth, one for each run of items of the same format. Deeper items stand in lists of their own among them. */
function listsOf(items: readonly Line[], depth: number): readonly Keys[] {
  const lists: { format: ListFormat; children: Keys[] }[] = [];
  let deeper: Line[] = [];
  const current = (format: ListFormat) => {
    const last = lists.at(-1);
    if (last?.format === format) return last;
    const made = { format, children: [] };
    lists.push(made);
    return made;
  };
  const closeDeeper = () => {
    const [first] = deeper;
    if (first)
      current(lists.at(-1)?.format ?? listsAt(first)[depth] ?? "unordered").children.push(
        ...listsOf(deeper, depth + 1),
      );
    deeper = [];
  };
  for (const item of items) {
    const formats = listsAt(item);
    if (formats.length > depth + 1) deeper.push(item);
    else {
      closeDeeper();
      current(formats[depth] ?? "unordered").children.push({ type: "list-item", children: inlinesOf(item.leaves) });
    }
  }
  closeDeeper();
  const level = depth > 0 ? { indentLevel: depth } : {};
  return lists.map(({ format, children }) => ({ type: "list", format, ...level, children }));
}

/** Texts as the JSON has them; neighbours with one address are one link. */
function inlinesOf(leaves: readonly Leaf[]): readonly Keys[] {
  const inlines: Keys[] = [];
  let open: { readonly url: string; readonly children: Keys[] } | undefined;
  for (const { text, modifiers, url } of leaves) {
    const leaf = { type: "text", text, ...Object.fromEntries(modifiers.map((name) => [name, true])) };
    if (url === undefined) {
      open = undefined;
      inlines.push(leaf);
    } else if (open?.url === url) open.children.push(leaf);
    else {
      open = { url, children: [leaf] };
      inlines.push({ type: "link", ...open });
    }
  }
  return inlines;
}

/** A fenced block of a Markdown file. */
export interface Block {
  /** What follows the fence: `sh`, `json`, `ts`, `text`. */
  readonly language: string;
  /** What follows the language: `file=src/index.ts`, `201`, or nothing. */
  readonly info: string;
  readonly text: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

/** A command of the documentation that is run, and what it says comes back. */
export interface ShownCommand {
  readonly command: Block;
  /** The block right after the command; undefined when it is no answer. */
  readonly answer: Block | undefined;
}

const FENCED = /^```(\w+)(?: (.+))?\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a Markdown file, in order. */
export function readBlocks(markdown: string): readonly Block[] {
  return [...markdown.matchAll(FENCED)].map(({ 1: language = "", 2: info = "", 3: text = "", index }) => ({
    language,
    info,
    text,
    line: markdown.slice(0, index).split("\n").length,
  }));
}

/** The path that a block names with `file=`: it shows what a file of the app holds. */
export function fileOf({ info }: Block): string | undefined {
  return /^file=(\S+)$/.exec(info)?.[1];
}

/** The blocks that call curl, with the `json` or `text` block that follows as their answer. */
export function shownCommands(blocks: readonly Block[]): readonly ShownCommand[] {
  return blocks.flatMap((command, index) => {
    if (command.language !== "sh" || !/\bcurl /.test(command.text)) return [];
    const next = blocks[index + 1];
    const isAnswer = next !== undefined && next.language !== "sh" && fileOf(next) === undefined;
    return [{ command, answer: isAnswer ? next : undefined }];
  });
}

/**
 * What of an answer the documentation shows: of objects the keys that are shown, in lists every entry; `"..."` stands
 * for any text.
 */
export function asShown(actual: unknown, shown: unknown): unknown {
  if (shown === "..." && typeof actual === "string") return shown;
  if (Array.isArray(actual) && Array.isArray(shown)) return actual.map((item, index) => asShown(item, shown[index]));
  if (!isObject(actual) || !isObject(shown)) return actual;
  return Object.fromEntries(
    Object.entries(shown).flatMap(([key, value]) => (key in actual ? [[key, asShown(actual[key], value)]] : [])),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

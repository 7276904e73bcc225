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

/** What a block makes its reader do. */
export type StepKind = "save" | "paste" | "run" | "query";

/** A block of the documentation that something is done with, and what comes of it. */
export interface Step {
  readonly kind: StepKind;
  readonly block: Block;
  /** The `json` or `text` block right after it; undefined where none is shown. */
  readonly answer: Block | undefined;
}

const FENCED = /^```(\w*)(?: (.+))?\n([\s\S]*?)^```$/gm;

/** How a block is run, by its language and what follows that. */
const KINDS: readonly { readonly kind: StepKind; readonly language: RegExp; readonly info: RegExp }[] = [
  { kind: "save", language: /^(ts|tsx|js|json|sql|ini|yaml)$/, info: /^file=\S+$/ },
  { kind: "paste", language: /^sh$/, info: /^$/ },
  { kind: "run", language: /^ts$/, info: /^run$/ },
  { kind: "query", language: /^graphql$/, info: /^(token)?$/ },
];

const ANSWER = { language: /^(json|text)$/, info: /^(\d{3})?$/ };

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
  return /^(?:machine )?file=(\S+)$/.exec(info)?.[1];
}

/**
 * The blocks of a guide as what is to be done, in order.
 *
 * @throws an Error that names the line of a block that is neither run nor the output of the one before it
 */
export function readSteps(blocks: readonly Block[]): readonly Step[] {
  return blocks.flatMap((block, index) => {
    if (isForMachine(block) || (isAnswer(block) && isForMachine(blocks[index - 1]))) return [];
    const kind = kindOf(block);
    if (kind) return [{ kind, block, answer: answerOf(blocks, index) }];
    const before = blocks[index - 1];
    if (isAnswer(block) && before && kindOf(before) && fileOf(before) === undefined) return [];
    throw new Error(
      `line ${block.line}: nothing runs a block of "${block.language} ${block.info}", and it is no output`,
    );
  });
}

/** What is done as root on a machine of its own: test/fleet does it. */
export const isForMachine = (block: Block | undefined): boolean =>
  block !== undefined && /^machine( |$)/.test(block.info);

function kindOf({ language, info }: Block): StepKind | undefined {
  return KINDS.find((kind) => kind.language.test(language) && kind.info.test(info))?.kind;
}

const isAnswer = ({ language, info }: Block): boolean => ANSWER.language.test(language) && ANSWER.info.test(info);

function answerOf(blocks: readonly Block[], index: number): Block | undefined {
  const next = blocks[index + 1];
  return next && isAnswer(next) ? next : undefined;
}

/** The blocks that call curl, with the `json` or `text` block that follows as their answer. */
export function shownCommands(blocks: readonly Block[]): readonly Pick<Step, "answer" | "block">[] {
  return blocks.flatMap((block, index) =>
    block.language === "sh" && /\bcurl /.test(block.text) ? [{ block, answer: answerOf(blocks, index) }] : [],
  );
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

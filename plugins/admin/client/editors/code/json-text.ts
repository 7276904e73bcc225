import { jsonLanguage } from "@codemirror/lang-json";

/** What is wrong with a text of JSON. */
export interface JsonProblem {
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** What stands there; empty at the end of the text. */
  readonly found: string;
}

/** The first place at which a text is not JSON. Undefined: it is, or there is nothing. */
export function jsonProblem(text: string): JsonProblem | undefined {
  if (text.trim() === "") return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const from = placeOf(text, String(error));
    const before = text.slice(0, from).split("\n");
    const found = /^\S{1,20}/.exec(text.slice(from))?.[0] ?? "";
    const column = (before.at(-1)?.length ?? 0) + 1;
    return { from, to: from + Math.max(found.length, 0), line: before.length, column, found };
  }
}

/** Browsers say in their own ways where it is, and some do not; what no grammar sees, such as an escape, is at the place they say. */
function placeOf(text: string, message: string): number {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Math.min(Number(position), text.trimEnd().length);
  let found: number | undefined;
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError && found === undefined) found = from;
    },
  });
  return Math.min(found ?? 0, text.trimEnd().length);
}

const INDENT = "  ";

/**
 * Lays a text of JSON out in lines. Its tokens stay as they are: numbers keep their digits, keys their order and strings
 * their escapes.
 */
export function formatJson(text: string, lineBreak: string): string {
  let depth = 0;
  let result = "";
  const newLine = () => lineBreak + INDENT.repeat(depth);
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g) ?? [];
  for (const [index, token] of tokens.entries()) {
    const isEmpty = /^[[{]$/.test(tokens[index - 1] ?? "");
    if (/^[\]}]$/.test(token)) {
      depth -= 1;
      if (!isEmpty) result += newLine();
    } else if (isEmpty || tokens[index - 1] === ",") result += newLine();
    result += token === ":" ? ": " : token;
    if (/^[[{]$/.test(token)) depth += 1;
  }
  return result;
}

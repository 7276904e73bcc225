import { reasonOf } from "../base/error.js";

/** The text of a value as JSON, or why there is none. */
export type JsonText = { readonly text: string } | { readonly problem: string; readonly cause?: unknown };

/**
 * Writes a value as JSON that a column of jsonb can hold: PostgreSQL has no place for U+0000, nor for half of a surrogate pair.
 *
 * @source https://www.postgresql.org/docs/15/datatype-json.html
 */
export function jsonText(value: unknown): JsonText {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    return { problem: `the data are no JSON: ${reasonOf(cause)}`, cause };
  }
  if (text === undefined) return { problem: "the data are no JSON" };
  // Of surrogates JSON escapes those that stand alone.
  if (/(?<!\\)(\\\\)*\\u(0000|d[89a-f])/.test(text))
    return { problem: "there is a character U+0000, or half of one, in the data" };
  return { text };
}

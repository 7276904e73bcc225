import { problemAt, refuse, wrongType } from "./value-problem.js";
import type { ParsedValue, ValueContext, ValueProblem } from "./value-problem.js";

/** bcrypt reads no more than this many bytes of a password; longer ones would be truncated silently. */
const MAX_PASSWORD_BYTES = 72;

/** Texts: strings only in bodies; filters also take numbers and booleans by their text. */
export function parseText(input: unknown, context: ValueContext): ParsedValue {
  if (typeof input === "string") return cleanText(input, context);
  return context.use === "filter" ? parseCastText(input, context) : refuse(context, wrongType("string", input), input);
}

/** Enumerations: numbers and booleans count as their text. Which values are allowed is a constraint. */
export function parseCastText(input: unknown, context: ValueContext): ParsedValue {
  const isSimple = typeof input === "string" || typeof input === "number" || typeof input === "boolean";
  return isSimple ? cleanText(String(input), context) : refuse(context, wrongType("string", input), input);
}

/**
 * Passwords, in clear text: hashing them is the caller's. No problem carries the value, so none can show a password.
 *
 * @source plugins/content-api/WIRE.md#passwords, over 72 bytes is refused
 */
export function parsePassword(input: unknown, context: ValueContext): ParsedValue {
  const parsed = parseText(input, context);
  if (parsed.problems)
    return { problems: parsed.problems.map(({ path, message }): ValueProblem => ({ path, message })) };
  if (Buffer.byteLength(parsed.value as string) <= MAX_PASSWORD_BYTES) return parsed;
  return { problems: [problemAt(context.path, `must be less than ${MAX_PASSWORD_BYTES + 1} bytes`)] };
}

/** Replaces halves of surrogate pairs, which no UTF-8 text can hold, by U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** PostgreSQL stores no NUL in a text. */
export function hasNul(text: string): boolean {
  return text.includes("\u0000");
}

function cleanText(text: string, context: ValueContext): ParsedValue {
  return hasNul(text) ? refuse(context, "must not contain the NUL character", text) : { value: wellFormed(text) };
}

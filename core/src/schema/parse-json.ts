import { isJsonDeeper } from "../base/json-depth.js";
import {
  type ParsedValue,
  problemAt,
  refuse,
  type ValueContext,
  type ValueProblem,
  wrongType,
} from "./value-problem.js";

/** Deeper values are refused before they can exhaust a stack, ours or PostgreSQL's. */
const MAX_LEVELS = 200;
const TOO_DEEP = `must not be nested deeper than ${MAX_LEVELS} levels`;

/**
 * json: any JSON value; a text is parsed as JSON, and one that is not JSON is refused. Texts and keys inside are
 * cleaned as text attributes are.
 *
 * @source plugins/content-api/WIRE.md#values
 */
export function parseJson(input: unknown, context: ValueContext): ParsedValue {
  if (typeof input !== "string") return cleanJson(input, context);
  if (isJsonDeeper(input, MAX_LEVELS)) return refuse(context, TOO_DEEP, undefined);
  const parsed = tryParse(input);
  return parsed ? cleanJson(parsed.value, context) : refuse(context, wrongType("json", input), input);
}

/** Checks what jsonb cannot hold, and replaces halves of surrogate pairs. */
export function cleanJson(input: unknown, context: ValueContext): ParsedValue {
  const reason = findUnstorable(input, 1);
  return reason ? refuse(context, reason, undefined) : { value: replaceSurrogates(input) };
}

function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // The only failure of JSON.parse is a text that is not JSON, which the caller reports.
    return undefined;
  }
}

function findUnstorable(value: unknown, level: number): string | undefined {
  if (typeof value === "string") return hasNul(value) ? "must not contain the NUL character" : undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "must contain finite numbers only";
  if (value === null || typeof value !== "object") return undefined;
  if (level > MAX_LEVELS) return TOO_DEEP;
  for (const [key, item] of Object.entries(value)) {
    if (key === "__proto__") return "must not contain the key `__proto__`";
    const reason = (hasNul(key) ? findUnstorable(key, level) : undefined) ?? findUnstorable(item, level + 1);
    if (reason) return reason;
  }
  return undefined;
}

function replaceSurrogates(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(replaceSurrogates);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [wellFormed(key), replaceSurrogates(item)]));
}

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

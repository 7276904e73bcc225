import { hasNul, wellFormed } from "./parse-text.js";
import { refuse, wrongType } from "./value-problem.js";
import type { ParsedValue, ValueContext } from "./value-problem.js";

/** Deeper values are refused before they can exhaust a stack, ours or PostgreSQL's. */
const MAX_LEVELS = 200;

/**
 * json: any JSON value; a text is parsed as JSON, and one that is not JSON is refused. Texts and keys inside are
 * cleaned as text attributes are.
 *
 * @source plugins/content-api/WIRE.md#values
 */
export function parseJson(input: unknown, context: ValueContext): ParsedValue {
  if (typeof input !== "string") return cleanJson(input, context);
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
  if (level > MAX_LEVELS) return `must not be nested deeper than ${MAX_LEVELS} levels`;
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

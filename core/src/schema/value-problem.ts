/** Where a value stands and what it is for. */
export interface ValueContext {
  /** Attribute names and, for lists, indexes as texts: `["seo", "meta", "0", "property"]`. */
  readonly path: readonly string[];
  /** `filter`: a value to compare with, read leniently (`t` is true); `body`: a value to store. */
  readonly use: "filter" | "body";
}

/** A problem of one value, with the message for clients. */
export interface ValueProblem {
  readonly path: readonly string[];
  readonly message: string;
  /** The value after coercion, `null` for what is not a number; absent when there is none. */
  readonly value?: unknown;
  /** The whole request fails with this message alone and empty details: malformed dates and times (WIRE.md, "Messages about values"). */
  readonly isWholeRequest?: true;
}

/** A value, or why there is none. */
export type ParsedValue =
  | { readonly value: unknown; readonly problems?: never }
  | { readonly problems: readonly ValueProblem[] };

/** Reads one value that is not null. */
export type ValueParser = (input: unknown, context: ValueContext) => ParsedValue;

/** A problem as the only result: `refuse(context, "must be an integer", 1.5)`; the path goes before the text. */
export function refuse(
  context: Pick<ValueContext, "path">,
  text: string,
  value: unknown,
): { readonly problems: readonly ValueProblem[] } {
  return { problems: [problemAt(context.path, text, value)] };
}

/** One problem whose message is the printed path and a text; an undefined value is left out. */
export function problemAt(path: readonly string[], text: string, value?: unknown): ValueProblem {
  const message = `${printPath(path)} ${text}`;
  return value === undefined ? { path, message } : { path, message, value };
}

/** A problem that ends the whole request with `message`, without naming the attribute. */
export function refuseRequest(
  context: ValueContext,
  message: string,
  value: unknown,
): { readonly problems: readonly ValueProblem[] } {
  return { problems: [{ path: context.path, message, value, isWholeRequest: true }] };
}

/**
 * The text for a value of the wrong type, such as: must be a `string` type, but the final value was: `12`.
 *
 * @param castFrom - the input, when the final value came out of a conversion: `NaN` from `"abc"`.
 * @source plugins/content-api/WIRE.md#messages-about-values
 */
export function wrongType(type: string, final: unknown, castFrom?: unknown): string {
  const origin =
    castFrom === undefined || castFrom === null ? "" : ` (cast from the value \`${printValue(castFrom)}\`)`;
  return `must be a \`${type}\` type, but the final value was: \`${printValue(final)}\`${origin}.`;
}

/**
 * The problem of an item in a list of objects that is not an object, such as: links[0] must be a `object` type, but the
 * final value was: `null` (cast from the value `"x"`). Its value is null.
 *
 * @source plugins/content-api/WIRE.md#messages-about-values
 */
export function noObject(path: readonly string[], item: unknown): ValueProblem {
  return problemAt(path, wrongType("object", null, item), null);
}

/** Lists and objects deeper than this are cut: a message is for people, and its size must not grow with the square of the input. */
const MAX_DEPTH = 8;
const MAX_LENGTH = 2000;

/**
 * Writes a value the way messages show it: texts in quotes, the rest plainly; lists and objects as JSON indented by
 * two, in which every simple value is itself printed and then quoted: `["a"]` comes out with `"\"a\""` in it.
 * Long texts end in `...`.
 *
 * @source plugins/content-api/WIRE.md#messages-about-values
 */
export function printValue(value: unknown): string {
  const text = printSimple(value) ?? JSON.stringify(printNested(value, 0), null, 2);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}

/** Writes a path as messages show it: `["seo", "meta", "0", "property"]` is `seo.meta[0].property`, the empty path `this`. */
export function printPath(path: readonly string[]): string {
  if (path.length === 0) return "this";
  return path.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : `${index > 0 ? "." : ""}${step}`)).join("");
}

function printSimple(value: unknown): string | undefined {
  if (typeof value === "string") return `"${value}"`;
  if (Object.is(value, -0)) return "-0";
  return value === null || typeof value !== "object" ? String(value) : undefined;
}

function printNested(value: unknown, depth: number): unknown {
  const simple = printSimple(value);
  if (simple !== undefined) return simple;
  if (depth >= MAX_DEPTH) return "...";
  if (Array.isArray(value)) return value.map((item) => printNested(item, depth + 1));
  return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, printNested(item, depth + 1)]));
}

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

import { cleanJson } from "./parse-json.js";
import { noObject, problemAt, refuse, wrongType } from "./value-problem.js";
import type { ParsedValue, ValueContext, ValueProblem } from "./value-problem.js";

type Path = readonly string[];
type Problems = readonly ValueProblem[];
type BlockNode = Readonly<Record<string, unknown>>;

/** Checks the value of one key; undefined where the key is missing. */
type Check = (value: unknown, path: Path) => Problems;

/** The keys of a node that are checked, in the order of their problems. */
type NodeRule = Readonly<Record<string, Check>>;

/** A problem whose message does not begin with the path. */
const problem = (path: Path, message: string, value: unknown): Problems => [
  value === undefined ? { path, message } : { path, message, value },
];

const required: Check = (_, path) => [problemAt(path, "is a required field")];

/** A text that may be left out; null only where it says so. */
const text =
  (allowsNull: boolean): Check =>
  (value, path) =>
    value === undefined || typeof value === "string" || (allowsNull && value === null)
      ? []
      : [problemAt(path, wrongType("string", value), value)];

const fullText: Check = (value, path) => {
  if (value === undefined) return required(value, path);
  return value === "" ? [problemAt(path, "is a required field", value)] : text(false)(value, path);
};

/** A picture without a size of its own, such as a drawing in SVG, has null. */
const size: Check = (value, path) => (value === undefined || value === null ? [] : numeric(value, path));

const numeric: Check = (value, path) => {
  if (value === undefined) return required(value, path);
  const isNumeric = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  if (isNumeric && Number.isFinite(Number(value))) return [];
  return [problemAt(path, wrongType("number", Number.NaN, value), null)];
};

const optionalFlag: Check = (value, path) =>
  value === undefined || typeof value === "boolean" ? [] : [problemAt(path, wrongType("boolean", value), value)];

const objectOrNull: Check = (value, path) =>
  value === undefined || (typeof value === "object" && !Array.isArray(value)) ? [] : [noObject(path, value)];

const oneOf = (allowed: readonly unknown[], value: unknown, path: Path): Problems =>
  allowed.includes(value) ? [] : [problemAt(path, `must be one of the following values: ${allowed.join(", ")}`, value)];

const level: Check = (value, path) => {
  if (value === undefined) return required(value, path);
  const typed = numeric(value, path);
  return [...typed, ...oneOf([1, 2, 3, 4, 5, 6], typed.length > 0 ? null : value, path)];
};

const format: Check = (value, path) => {
  if (value === undefined) return required(value, path);
  const typed = typeof value === "object" ? text(false)(value, path) : [];
  return [...typed, ...oneOf(["ordered", "unordered"], value, path)];
};

const leafText: Check = (value, path) =>
  value === undefined
    ? problem(path, "Text must be defined with at least an empty string", value)
    : text(false)(value, path);

/** What a link may lead to, beside paths of the site (`/a`) and places in the page (`#a`). */
const LINK_PROTOCOLS: ReadonlySet<string> = new Set(["http:", "https:", "ftp:", "mailto:", "tel:"]);

const linkUrl: Check = (value, path) => {
  if (value === null) return text(false)(value, path);
  const isLink = typeof value === "string" && (/^[/#]/.test(value) || LINK_PROTOCOLS.has(protocolOf(value)));
  return isLink ? [] : problem(path, "Please specify a valid link.", value);
};

const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : "");

/** A list of nodes; `least` is the message where there have to be some, and are none. */
const children =
  (item: Check, least?: string): Check =>
  (value, path) => {
    if (value === undefined) return required(value, path);
    if (!Array.isArray(value)) return [problemAt(path, wrongType("array", null, value), null)];
    if (value.length === 0 && least !== undefined) return problem(path, least, value);
    return (value as readonly unknown[]).flatMap((node, index) => item(node, [...path, String(index)]));
  };

const isNode = (value: unknown): value is BlockNode =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const checkRule = (rule: NodeRule, node: BlockNode, path: Path): Problems =>
  Object.entries(rule).flatMap(([key, check]) => check(node[key], [...path, key]));

/** A node of one of several types; `message` is for every other. */
const nodeOf =
  (rules: () => Readonly<Record<string, NodeRule>>, message: string): Check =>
  (value, path) => {
    const type = isNode(value) ? value["type"] : undefined;
    const known = rules();
    const rule = typeof type === "string" && Object.hasOwn(known, type) ? known[type] : undefined;
    return rule ? checkRule(rule, value as BlockNode, path) : problem(path, message, value);
  };

const TEXT: NodeRule = {
  text: leafText,
  ...Object.fromEntries(["bold", "italic", "underline", "strikethrough", "code"].map((key) => [key, optionalFlag])),
};

/** A text where nothing else may be. */
const leaf: Check = (value, path) => {
  if (!isNode(value)) return [noObject(path, value)];
  const type = value["type"] === undefined ? required(undefined, [...path, "type"]) : [];
  const other = type.length > 0 ? type : oneOf(["text"], value["type"], [...path, "type"]);
  return [...other, ...checkRule(TEXT, value, path)];
};

const LINK: NodeRule = { url: linkUrl, children: children(leaf) };
const inline = nodeOf(() => ({ text: TEXT, link: LINK }), "Inline node must be Text or Link");
const someInline = (name: string) => children(inline, `${name} node children must have at least one Text or Link node`);

const ITEM: NodeRule = { children: children(inline) };
const listChild = nodeOf(() => ({ "list-item": ITEM, list: LIST }), "Inline node must be list-item or list");
const LIST: NodeRule = {
  format,
  children: children(listChild, "List node children must have at least one ListItem or ListNode"),
};

/** Of a picture the address is enough; the rest is for those who show it. */
const IMAGE: NodeRule = {
  name: text(false),
  alternativeText: text(true),
  url: fullText,
  caption: text(true),
  width: size,
  height: size,
  formats: objectOrNull,
  hash: text(false),
  ext: text(true),
  mime: text(false),
  size,
  previewUrl: text(true),
  provider: text(false),
  createdAt: text(false),
  updatedAt: text(false),
};

/** A missing image lacks what every one has. */
const image: Check = (value, path) => {
  if (value === undefined) return checkRule(IMAGE, {}, path);
  return isNode(value) ? checkRule(IMAGE, value, path) : [noObject(path, value)];
};

const BLOCKS: Readonly<Record<string, NodeRule>> = {
  paragraph: { children: someInline("Paragraph") },
  heading: { level, children: someInline("Heading") },
  quote: { children: someInline("Quote") },
  list: LIST,
  image: { image, children: children(inline) },
  code: {
    language: text(true),
    // The sentence of quotes is that of the wire.
    children: children(leaf, "Quote node children must have at least one Text or Link node"),
  },
};

const block = nodeOf(() => BLOCKS, "Block node is of invalid type");

/**
 * blocks: a list of nodes as rich-text editors write them, each with a `type` and, but for texts, `children`. Keys that
 * no rule names are kept, and no value is converted.
 *
 * @returns all problems of all nodes; numbers as leaf text, and a text or object in place of the list, are problems.
 * @source plugins/content-api/WIRE.md#values
 * @source plugins/content-api/WIRE.md#messages-about-blocks
 */
export function parseBlocks(input: unknown, context: ValueContext): ParsedValue {
  if (!Array.isArray(input)) return refuse(context, wrongType("array", input), input);
  const cleaned = cleanJson(input, context);
  if (cleaned.problems) return cleaned;
  const problems = children(block)(cleaned.value, context.path);
  return problems.length > 0 ? { problems } : cleaned;
}

import { cleanJson } from "./parse-json.js";
import { problemAt, refuse, wrongType } from "./value-problem.js";
import type { ParsedValue, ValueContext, ValueProblem } from "./value-problem.js";

type Path = readonly string[];
type BlockNode = Readonly<Record<string, unknown>>;
type NodeCheck = (node: BlockNode, path: Path) => readonly ValueProblem[];

/** What a node of one type may hold. */
interface NodeRule {
  /** Types of its children; a node without has no `children`. */
  readonly children?: readonly string[];
  readonly check?: NodeCheck;
}

const ROOT = ["paragraph", "heading", "quote", "list", "code", "image"];
const INLINE = ["text", "link"];
const MODIFIERS = ["bold", "italic", "underline", "strikethrough", "code"];

const NODES: Readonly<Record<string, NodeRule>> = {
  paragraph: { children: INLINE },
  heading: { children: INLINE, check: oneOf("level", [1, 2, 3, 4, 5, 6]) },
  quote: { children: INLINE },
  code: { children: INLINE },
  list: { children: ["list-item", "list"], check: oneOf("format", ["ordered", "unordered"]) },
  "list-item": { children: INLINE },
  image: { children: INLINE, check: checkImage },
  link: { children: ["text"], check: (node, path) => checkString(node["url"], [...path, "url"]) },
  text: { check: checkLeaf },
};

/**
 * blocks: a list of nodes as rich-text editors write them, each with a `type` and, but for texts, `children`. Keys that
 * no rule names are kept.
 *
 * @returns all problems of all nodes; numbers as leaf text, and a text or object in place of the list, are problems.
 * @source plugins/content-api/WIRE.md#values
 */
export function parseBlocks(input: unknown, context: ValueContext): ParsedValue {
  if (!Array.isArray(input)) return refuse(context, wrongType("array", input), input);
  const cleaned = cleanJson(input, context);
  if (cleaned.problems) return cleaned;
  const problems = checkNodes(cleaned.value, ROOT, context.path);
  return problems.length > 0 ? { problems } : cleaned;
}

function checkNodes(nodes: unknown, types: readonly string[], path: Path): readonly ValueProblem[] {
  if (nodes === undefined) return [problemAt(path, "is a required field")];
  if (!Array.isArray(nodes)) return [problemAt(path, wrongType("array", nodes), nodes)];
  return nodes.flatMap((node, index) => checkNode(node, types, [...path, String(index)]));
}

function checkNode(node: unknown, types: readonly string[], path: Path): readonly ValueProblem[] {
  if (node === null || typeof node !== "object" || Array.isArray(node)) {
    return [problemAt(path, wrongType("object", node), node)];
  }
  const block = node as BlockNode;
  const typeProblems = oneOf("type", types)(block, path);
  const rule = typeProblems.length > 0 ? undefined : NODES[block["type"] as string];
  if (!rule) return typeProblems;
  const own = rule.check?.(block, path) ?? [];
  return rule.children ? [...own, ...checkNodes(block["children"], rule.children, [...path, "children"])] : own;
}

function oneOf(key: string, allowed: readonly unknown[]): NodeCheck {
  return (node, path) => {
    const value = node[key];
    if (allowed.includes(value)) return [];
    const text =
      value === undefined ? "is a required field" : `must be one of the following values: ${allowed.join(", ")}`;
    return [problemAt([...path, key], text, value)];
  };
}

function checkString(value: unknown, path: Path): readonly ValueProblem[] {
  if (typeof value === "string") return [];
  return [problemAt(path, value === undefined ? "is a required field" : wrongType("string", value), value)];
}

function checkLeaf(node: BlockNode, path: Path): readonly ValueProblem[] {
  const modifiers = MODIFIERS.filter((key) => node[key] !== undefined && typeof node[key] !== "boolean");
  return [
    ...checkString(node["text"], [...path, "text"]),
    ...modifiers.map((key) => problemAt([...path, key], wrongType("boolean", node[key]), node[key])),
  ];
}

function checkImage(node: BlockNode, path: Path): readonly ValueProblem[] {
  const image = node["image"];
  const at = [...path, "image"];
  if (image === undefined) return [problemAt(at, "is a required field")];
  if (image === null || typeof image !== "object") return [problemAt(at, wrongType("object", image), image)];
  return checkString((image as BlockNode)["url"], [...at, "url"]);
}

import { contentOf, metadataOf, partsOf, type SchemaNode } from "./schema-node.js";

/**
 * What a schema allows, in words that complete "must be ...": `a whole number from 0 to 65535`. What `allowed()` says of a
 * schema comes first.
 */
export function describeAllowed(node: SchemaNode): string {
  const { allowed } = metadataOf(node);
  if (typeof allowed === "string") return allowed;
  if (node.wrapped) return `${describeAllowed(node.wrapped)}${/^null(able|ish)$/.test(node.type) ? " or null" : ""}`;
  const content = contentOf(node);
  return (WORDS[content.type] ?? anything)(content);
}

const anything = () => "anything";
const object = () => "an object";

/** By the type of the schema. */
const WORDS: Readonly<Record<string, (node: SchemaNode) => string>> = {
  boolean: () => "true or false",
  string: describeString,
  number: describeNumber,
  function: () => "a function",
  literal: ({ literal }) => JSON.stringify(literal),
  picklist: ({ options = [] }) => `one of ${options.join(", ")}`,
  union: ({ options = [] }) => alternatives((options as readonly SchemaNode[]).map(describeAllowed)),
  array: ({ item }) => (item && describeAllowed(item) === "a string" ? "a list of strings" : "a list"),
  record: object,
  object,
  loose_object: object,
  strict_object: object,
  variant: object,
};

/** `true, false or a function` */
function alternatives(words: readonly string[]): string {
  const all = words.flatMap((each) => (each === "true or false" ? ["true", "false"] : [each]));
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
}

function describeString(node: SchemaNode): string {
  const [example] = (metadataOf(node)["examples"] ?? []) as readonly unknown[];
  if (example !== undefined) return `a string such as ${String(example)}`;
  const least = requirementOf(node, "min_length");
  const most = requirementOf(node, "max_length");
  if (most !== undefined) return `a string of ${least ?? 0} to ${most} characters`;
  if (least !== undefined) return `a string of at least ${least} characters`;
  return partsOf(node).some(({ type }) => type === "non_empty") ? "a string that is not empty" : "a string";
}

function describeNumber(node: SchemaNode): string {
  const name = partsOf(node).some(({ type }) => type === "integer") ? "a whole number" : "a number";
  const [least, most, below] = ["min_value", "max_value", "gt_value"].map((type) => requirementOf(node, type));
  const range = [
    ...(below === undefined ? [] : [`greater than ${below}`]),
    ...(least === undefined ? [] : [`from ${least}`]),
    ...(most === undefined || most === Number.MAX_SAFE_INTEGER ? [] : [`to ${most}`]),
  ];
  return [name, ...range].join(" ");
}

function requirementOf(node: SchemaNode, type: string): unknown {
  return partsOf(node).find((part) => part.type === type)?.requirement;
}

import { Fragment, type Mark, type Node } from "prosemirror-model";
import { type Keys, LEVELS, MODIFIERS, NO_KEYS, schema } from "./schema.js";

const { nodes, marks } = schema;

/** What was converted is kept for as long as it lives: blocks that did not change are not converted again, and stay the same object. */
const blockOf = new WeakMap<Node, unknown>();
const nodeOf = new WeakMap<object, Node>();

/** Types of blocks that hold text and have no keys of their own, with the nodes that show them. */
const TEXTBLOCKS: Readonly<Record<string, string>> = {
  paragraph: "paragraph",
  heading: "heading",
  quote: "quote",
  code: "codeBlock",
  "list-item": "listItem",
};
const TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TEXTBLOCKS).map(([type, name]) => [name, type]),
);

/** The document that shows a value; without blocks it is an empty paragraph. */
export function documentOf(value: readonly unknown[] | null): Node {
  const content = (value ?? []).map(nodeFrom);
  return nodes.doc.create(null, content.length > 0 ? content : nodes.paragraph.create());
}

/**
 * The value of a document. Blocks that were not changed are the identical objects.
 *
 * @param empty - the value of a document that is one empty paragraph which was not there before: `null` or `[]`
 */
export function blocksOf<T extends readonly unknown[] | null>(doc: Node, empty: T): readonly unknown[] | T {
  return isEmpty(doc) && !blockOf.has(doc.child(0)) ? empty : doc.children.map(blockFrom);
}

/** Whether there is nothing but an empty paragraph, without keys. */
export const isEmpty = ({ childCount, firstChild: only }: Node): boolean =>
  childCount === 1 && only?.type === nodes.paragraph && only.childCount === 0 && !hasKeys(only.attrs["keys"]);

/** The node of a block. One that the editor does not know, or cannot show whole, is a node that keeps it. */
export function nodeFrom(block: unknown): Node {
  if (!isRecord(block)) return nodes.unknownBlock.create({ source: block });
  const known = nodeOf.get(block);
  if (known) return known;
  const node = knownNode(block) ?? nodes.unknownBlock.create({ source: block });
  nodeOf.set(block, node);
  blockOf.set(node, block);
  return node;
}

function knownNode(block: Keys): Node | undefined {
  const { type, children, ...rest } = block;
  if (type === "image") return imageNode(block);
  if (!Array.isArray(children)) return undefined;
  if (type === "list") return listNode(rest, children);
  const name = typeof type === "string" && type !== "list-item" ? TEXTBLOCKS[type] : undefined;
  if (name === undefined || (type === "code" && children.some(isLink))) return undefined;
  if (name !== "heading") return textblock(name, { keys: keysOf(rest) }, children);
  const { level, ...others } = rest;
  return LEVELS.some((known) => known === level)
    ? textblock(name, { level, keys: keysOf(others) }, children)
    : undefined;
}

function imageNode({ type: _type, image, ...rest }: Keys): Node | undefined {
  return isRecord(image) ? nodes.image.create({ image, keys: keysOf(rest) }) : undefined;
}

function listNode({ format, ...rest }: Keys, children: readonly unknown[]): Node | undefined {
  const isFormat = format === "ordered" || format === "unordered";
  const items = children.map(itemNode);
  if (!isFormat || items.length === 0 || !items.every((item) => item !== undefined)) return undefined;
  return nodes.list.create({ format, keys: keysOf(rest) }, items);
}

function itemNode(block: unknown): Node | undefined {
  if (!isRecord(block)) return undefined;
  const { type, children, ...rest } = block;
  const known = nodeOf.get(block);
  if (known) return known.type === nodes.listItem || known.type === nodes.list ? known : undefined;
  if (!Array.isArray(children)) return undefined;
  if (type !== "list" && type !== "list-item") return undefined;
  const node = type === "list" ? listNode(rest, children) : textblock("listItem", { keys: keysOf(rest) }, children);
  if (!node) return undefined;
  nodeOf.set(block, node);
  blockOf.set(node, block);
  return node;
}

const textblock = (name: string, attrs: Keys, children: readonly unknown[]): Node =>
  schema.node(name, attrs, Fragment.fromArray(children.flatMap((child) => inlineNodes(child))));

function inlineNodes(inline: unknown): readonly Node[] {
  if (!isRecord(inline)) return [unknown(inline)];
  if (inline["type"] !== "link") return leafNodes(inline, []);
  const { type: _type, url, children, ...rest } = inline;
  if (typeof url !== "string" || !Array.isArray(children) || !children.every(isText)) return [unknown(inline)];
  const link = marks.link.create({ url, keys: keysOf(rest) });
  return children.flatMap((leaf) => leafNodes(leaf, [link]));
}

const unknown = (source: unknown): Node => nodes.unknownInline.create({ source });

const isLink = (inline: unknown): boolean => isRecord(inline) && inline["type"] === "link";

const isText = (leaf: unknown): leaf is Keys =>
  isRecord(leaf) && leaf["type"] === "text" && typeof leaf["text"] === "string";

function leafNodes(leaf: Keys, outer: readonly Mark[]): readonly Node[] {
  if (!isText(leaf)) return [unknown(leaf)];
  const { type: _type, text, ...rest } = leaf;
  if (text === "") return [];
  const set = MODIFIERS.filter((key) => rest[key] === true);
  const others = Object.fromEntries(Object.entries(rest).filter(([key]) => !set.some((name) => name === key)));
  const more = Object.keys(others).length > 0 ? [marks.keys.create({ keys: others })] : [];
  // In the order of the schema, which `setFrom` would otherwise have to make.
  return [schema.text(String(text), [...outer, ...set.map((key) => marks[key].create()), ...more])];
}

/** The block that a node stands for. */
function blockFrom(node: Node): unknown {
  if (blockOf.has(node)) return blockOf.get(node);
  const block = makeBlock(node);
  blockOf.set(node, block);
  if (isRecord(block)) nodeOf.set(block, node);
  return block;
}

function makeBlock(node: Node): unknown {
  const { keys, source, ...attrs } = node.attrs;
  if (node.type === nodes.unknownBlock) return source;
  if (node.type === nodes.image) return { type: "image", ...attrs, children: [emptyText()], ...keys };
  if (node.type === nodes.list) return { type: "list", ...attrs, ...keys, children: node.children.map(blockFrom) };
  return { type: TYPES[node.type.name], ...attrs, ...keys, children: inlinesOf(node) };
}

const emptyText = (): Keys => ({ type: "text", text: "" });

/** Texts of one link stand below it. */
function inlinesOf(node: Node): readonly unknown[] {
  const inlines: unknown[] = [];
  let open: { readonly link: Mark; readonly texts: unknown[] } | undefined;
  for (const child of node.children) {
    const link = child.marks.find(({ type }) => type === marks.link);
    const leaf = leafOf(child);
    if (link && open?.link.eq(link)) open.texts.push(leaf);
    else if (link) {
      open = { link, texts: [leaf] };
      inlines.push({ type: "link", url: link.attrs["url"], ...link.attrs["keys"], children: open.texts });
    } else {
      open = undefined;
      inlines.push(leaf);
    }
  }
  return inlines.length > 0 ? inlines : [emptyText()];
}

function leafOf({ type, text, attrs, marks: own }: Node): unknown {
  if (type === nodes.unknownInline) return attrs["source"];
  const keys = own
    .filter((mark) => mark.type !== marks.link)
    .map(({ type: mark, attrs: { keys } }) => (mark === marks.keys ? keys : { [mark.name]: true }));
  return Object.assign({ type: "text", text }, ...keys);
}

const hasKeys = (keys: Keys): boolean => Object.keys(keys).length > 0;
const keysOf = (rest: Keys): Keys => (hasKeys(rest) ? rest : NO_KEYS);

const isRecord = (value: unknown): value is Keys =>
  typeof value === "object" && value !== null && !Array.isArray(value);

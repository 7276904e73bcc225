import { createElement, type ReactNode } from "react";
import styles from "./languages.module.css";

/** A block, or a text in one. @source plugins/content-api/WIRE.md, blocks */
interface Node {
  readonly type?: string;
  readonly text?: string;
  readonly level?: number;
  readonly format?: string;
  readonly children?: readonly unknown[];
  readonly image?: { readonly url?: string; readonly alternativeText?: string | null };
  readonly [mark: string]: unknown;
}

/** Marks of texts, and the elements that show them. */
const MARKS: readonly (readonly [mark: string, element: string])[] = [
  ["bold", "strong"],
  ["italic", "em"],
  ["underline", "u"],
  ["strikethrough", "s"],
  ["code", "code"],
];

/** The levels of headings on a page that has its own up to the third. */
const FIRST_LEVEL = 3;
const LAST_LEVEL = 6;

/** A text of blocks as it is read. Links lead nowhere: what is shown is there to be translated. */
export function BlocksView({ blocks }: { readonly blocks: readonly unknown[] }) {
  return <div className={styles.blocks}>{blocks.map(blockView)}</div>;
}

function blockView(block: unknown, index: number): ReactNode {
  const node = (block ?? {}) as Node;
  const { type, text, image, children = [] } = node;
  if (text !== undefined) return textView(node, index);
  if (type === "image")
    return <img key={index} className={styles.figure} src={image?.url} alt={image?.alternativeText ?? ""} />;
  return createElement(elementOf(node), { key: index }, children.map(blockView));
}

function elementOf({ type, format, level = 1 }: Node): string {
  if (type === "heading") return `h${Math.min(level + FIRST_LEVEL - 1, LAST_LEVEL)}`;
  if (type === "list") return format === "ordered" ? "ol" : "ul";
  return { "list-item": "li", quote: "blockquote", code: "pre", link: "u" }[type ?? ""] ?? "p";
}

function textView(node: Node, index: number): ReactNode {
  const marked = MARKS.reduce<ReactNode>(
    (inside, [mark, element]) => (node[mark] === true ? createElement(element, null, inside) : inside),
    node.text,
  );
  return <span key={index}>{marked}</span>;
}

import type { HtmlNode } from "#plugins/admin/client/editors/blocks/pasted-html.js";

const ENTITIES: Readonly<Record<string, string>> = { nbsp: "\u00a0", middot: "·", lt: "<", amp: "&" };
const EMPTY = new Set(["br", "img", "meta", "hr"]);

interface Open {
  readonly name: string;
  readonly node: HtmlNode & { readonly childNodes: HtmlNode[] };
}

/** A tree of well-formed HTML, as a browser would make it, where there is no browser. */
export function treeOf(html: string): HtmlNode {
  const root: Open = { name: "body", node: elementOf("body", "") };
  const stack: Open[] = [root];
  for (const [, close, open, attributes = "", text] of html.matchAll(
    /<!--.*?-->|<\/([\w:]+)>|<([\w:]+)([^>]*)>|([^<]+)/gs,
  )) {
    const top = stack.at(-1) ?? root;
    if (text !== undefined) top.node.childNodes.push(textOf(text));
    if (close !== undefined) stack.pop();
    if (open === undefined) continue;
    const node = elementOf(open, attributes);
    top.node.childNodes.push(node);
    if (!EMPTY.has(open)) stack.push({ name: open, node });
  }
  return root.node;
}

const textOf = (text: string): HtmlNode => ({
  nodeType: 3,
  nodeName: "#text",
  nodeValue: text.replace(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? name),
  childNodes: [],
});

function elementOf(name: string, source: string): HtmlNode & { readonly childNodes: HtmlNode[] } {
  const attributes = new Map(
    [...source.matchAll(/([\w-]+)=(?:"([^"]*)"|'([^']*)')/g)].map(([, key = "", a, b]) => [key, a ?? b ?? ""]),
  );
  return {
    nodeType: 1,
    nodeName: name.toUpperCase(),
    nodeValue: null,
    childNodes: [],
    getAttribute: (key) => attributes.get(key) ?? null,
  };
}

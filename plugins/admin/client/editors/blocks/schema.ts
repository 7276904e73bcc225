import { type Attrs, type DOMOutputSpec, type MarkSpec, type Node, type NodeSpec, Schema } from "prosemirror-model";

/** Keys of a block that the editor does not show; they go back as they came. */
export type Keys = Readonly<Record<string, unknown>>;

/** Most blocks have no keys of their own. */
export const NO_KEYS: Keys = Object.freeze({});

/** Levels of headings. */
export const LEVELS = [1, 2, 3, 4, 5, 6] as const;

/** How the items of a list are marked. */
export type ListFormat = "ordered" | "unordered";

const keys = { default: NO_KEYS };

/** What copied HTML carries, so that a block pasted within the editor keeps all of its keys. */
const dataOf = (name: string, value: unknown): Record<string, string> => ({ [`data-${name}`]: JSON.stringify(value) });

const keysOf = (node: { readonly attrs: Attrs }): Record<string, string> =>
  node.attrs["keys"] === NO_KEYS ? {} : dataOf("keys", node.attrs["keys"]);

function readData(element: HTMLElement, name: string): unknown {
  const text = element.getAttribute(`data-${name}`);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // HTML of another page that has an attribute of the same name.
    return undefined;
  }
}

const readKeys = (element: HTMLElement): Attrs => {
  const found = readData(element, "keys");
  return { keys: typeof found === "object" && found !== null ? found : NO_KEYS };
};

/** A block of text. Line breaks are characters of the text, as in the JSON, hence "pre". */
const textblock = (tag: string, more: Partial<NodeSpec> = {}): NodeSpec => ({
  content: "inline*",
  group: "block",
  whitespace: "pre",
  attrs: { keys },
  parseDOM: [{ tag, getAttrs: readKeys }],
  toDOM: (node): DOMOutputSpec => [tag, keysOf(node), 0],
  ...more,
});

const heading = textblock("h1", {
  attrs: { level: { default: 1 }, keys },
  parseDOM: LEVELS.map((level) => ({
    tag: `h${level}`,
    getAttrs: (element: HTMLElement) => ({ level, ...readKeys(element) }),
  })),
  toDOM: (node) => [`h${node.attrs["level"]}`, keysOf(node), 0],
});

const codeBlock = textblock("pre", {
  code: true,
  // The server takes no links in code.
  marks: "bold italic underline strikethrough code keys",
  defining: true,
  parseDOM: [{ tag: "pre", getAttrs: readKeys, preserveWhitespace: "full" }],
  toDOM: (node) => ["pre", keysOf(node), ["code", 0]],
});

const list: NodeSpec = {
  content: "(listItem | list)+",
  group: "block",
  attrs: { format: { default: "unordered" }, keys },
  parseDOM: (["ul", "ol"] as const).map((tag) => ({
    tag,
    getAttrs: (element: HTMLElement) => ({ format: tag === "ol" ? "ordered" : "unordered", ...readKeys(element) }),
  })),
  toDOM: (node) => [node.attrs["format"] === "ordered" ? "ol" : "ul", keysOf(node), 0],
};

const image: NodeSpec = {
  group: "block",
  atom: true,
  draggable: true,
  attrs: { image: {}, keys },
  parseDOM: [{ tag: "figure[data-image]", getAttrs: readImage }],
  toDOM: (node) => ["figure", { ...dataOf("image", node.attrs["image"]), ...keysOf(node) }, ...pictureOf(node)],
};

function readImage(element: HTMLElement): Attrs | false {
  const found = readData(element, "image");
  return typeof found === "object" && found !== null ? { image: found, ...readKeys(element) } : false;
}

function pictureOf(node: Node): DOMOutputSpec[] {
  const file = node.attrs["image"] as Keys;
  const text = [file["alternativeText"], file["name"]].find((value) => typeof value === "string" && value !== "");
  const src = typeof file["url"] === "string" ? file["url"] : "";
  return [
    ["img", { src, alt: String(text ?? ""), loading: "lazy" }],
    ["figcaption", String(file["caption"] || text || src)],
  ];
}

/** A block that the editor does not know is shown as a box, which can be moved and deleted. */
const unknownBlock: NodeSpec = {
  group: "block",
  atom: true,
  attrs: { source: {} },
  parseDOM: [{ tag: "div[data-source]", getAttrs: (element) => ({ source: readData(element, "source") }) }],
  toDOM: (node) => ["div", dataOf("source", node.attrs["source"]), nameOf(node)],
};

const unknownInline: NodeSpec = {
  inline: true,
  group: "inline",
  atom: true,
  attrs: { source: {} },
  parseDOM: [{ tag: "span[data-source]", getAttrs: (element) => ({ source: readData(element, "source") }) }],
  toDOM: (node) => ["span", dataOf("source", node.attrs["source"]), nameOf(node)],
};

const nameOf = (node: Node): string => String((node.attrs["source"] as Keys | null)?.["type"] ?? "?");

const UNSAFE_PROTOCOLS: readonly string[] = ["javascript:", "data:", "vbscript:"];
/** For addresses that are relative. */
const ANY_PAGE = "https://page.invalid";

/** Addresses that a link may lead to: scripts and data are none. Browsers drop line breaks and tabs inside of a scheme, and so does their parser. */
export const isSafeUrl = (url: string): boolean =>
  !URL.canParse(url, ANY_PAGE) || !UNSAFE_PROTOCOLS.includes(new URL(url, ANY_PAGE).protocol);

const LINK_PROTOCOLS: readonly string[] = ["http:", "https:", "ftp:", "mailto:", "tel:"];

/** Whether the server takes an address for a link. @source plugins/content-api/WIRE.md#messages-about-blocks */
export const isLinkUrl = (url: string): boolean =>
  /^[/#]/.test(url) || (URL.canParse(url) && LINK_PROTOCOLS.includes(new URL(url).protocol));

const link: MarkSpec = {
  inclusive: false,
  attrs: { url: {}, keys },
  parseDOM: [
    {
      tag: "a[href]",
      getAttrs: (element: HTMLElement) => {
        const url = element.getAttribute("href") ?? "";
        return isSafeUrl(url) && { url, ...readKeys(element) };
      },
    },
  ],
  toDOM: (mark) => {
    const url = String(mark.attrs["url"]);
    return ["a", { ...(isSafeUrl(url) ? { href: url, rel: "noopener" } : {}), ...keysOf(mark) }, 0];
  },
};

const modifier = (tag: string, ...others: readonly string[]): MarkSpec => ({
  parseDOM: [tag, ...others].map((name) => ({ tag: name })),
  toDOM: () => [tag, 0],
});

/** Marks that a text has by a key of the same name. */
export const MODIFIERS = ["bold", "italic", "underline", "strikethrough", "code"] as const;

/** One of `MODIFIERS`. */
export type Modifier = (typeof MODIFIERS)[number];

/**
 * The schema of `blocks`: nodes as they nest in the JSON, so that nothing is lost between the two. Of a text and of a link
 * the keys are marks; a code block is `codeBlock`, because `code` is the mark.
 *
 * @source core/src/schema/parse-blocks.ts
 */
export const schema = new Schema({
  nodes: {
    doc: { content: "block+" },
    paragraph: textblock("p"),
    heading,
    quote: textblock("blockquote"),
    codeBlock,
    list,
    listItem: textblock("li", { group: "" }),
    image,
    unknownBlock,
    text: { group: "inline" },
    unknownInline,
  },
  marks: {
    link,
    bold: modifier("strong", "b"),
    italic: modifier("em", "i"),
    underline: modifier("u"),
    strikethrough: modifier("s", "del"),
    code: { ...modifier("code"), code: true },
    keys: {
      attrs: { keys },
      inclusive: false,
      parseDOM: [{ tag: "span[data-keys]", getAttrs: readKeys }],
      toDOM: (mark) => ["span", keysOf(mark), 0],
    },
  },
});

import { blocksOfLines, type Line, type LineStart } from "./pasted-lines.js";
import { isLinkUrl, type Keys, type ListFormat, MODIFIERS, type Modifier } from "./schema.js";

/** What is read of a node of HTML. */
export interface HtmlNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly childNodes: Iterable<HtmlNode>;
  getAttribute?(name: string): string | null;
}

const ELEMENT = 1;
const TEXT = 3;
const SKIPPED = new Set(
  "HEAD STYLE SCRIPT META LINK TITLE TEMPLATE NOSCRIPT SVG MATH IFRAME OBJECT SELECT TEXTAREA".split(" "),
);
const BLOCKS = new Set(
  "P DIV H1 H2 H3 H4 H5 H6 LI UL OL BLOCKQUOTE PRE TABLE TR SECTION ARTICLE HEADER FOOTER MAIN ASIDE NAV FIGURE FIGCAPTION DL DT DD HR ADDRESS FORM".split(
    " ",
  ),
);
const MODIFIER_TAGS: Readonly<Record<string, Modifier>> = {
  B: "bold",
  STRONG: "bold",
  I: "italic",
  EM: "italic",
  U: "underline",
  INS: "underline",
  S: "strikethrough",
  DEL: "strikethrough",
  STRIKE: "strikethrough",
  CODE: "code",
  KBD: "code",
  SAMP: "code",
  TT: "code",
};
/** Paragraphs that Word has a style for. */
const WORD_STYLES: Readonly<Record<string, LineStart>> = {
  MsoTitle: { type: "heading", level: 1 },
  MsoSubtitle: { type: "heading", level: 2 },
  MsoQuote: { type: "quote" },
  MsoIntenseQuote: { type: "quote" },
};
/** The mark of a Word list's item: digits or letters before a point. */
const NUMBERED = /^[\s\u00a0]*\(?(?:\d+|[a-z]{1,4})[.)]/i;
const PARAGRAPH: LineStart = { type: "paragraph" };

/** What the elements around a text make of it. */
interface Around {
  readonly modifiers: ReadonlySet<Modifier>;
  readonly url: string | undefined;
  readonly isPre: boolean;
  readonly start: LineStart;
  /** Lists around it, the outermost first. */
  readonly lists: readonly ListFormat[];
}

/** The blocks of HTML that was copied elsewhere: a web page, Word, Google Docs. Pictures are left out, as they are no files of ours. */
export function blocksOfHtml(root: HtmlNode): readonly Keys[] {
  const reader = new HtmlReader();
  reader.read(root, { modifiers: new Set(), url: undefined, isPre: false, start: PARAGRAPH, lists: [] });
  return blocksOfLines(reader.lines);
}

/** Collects lines: what stands between two borders of blocks. Lines of the same start are joined by a line break. */
class HtmlReader {
  readonly lines: Line[] = [];
  #isOpen = false;

  read(parent: HtmlNode, around: Around): void {
    for (const node of parent.childNodes) {
      if (node.nodeType === TEXT) this.#text(node.nodeValue ?? "", around);
      else if (node.nodeType === ELEMENT) this.#element(node, around);
    }
  }

  #element(node: HtmlNode, around: Around): void {
    const name = node.nodeName.toUpperCase();
    const style = styleOf(node);
    if (SKIPPED.has(name) || style.get("display") === "none" || style.has("mso-hide")) return;
    if (style.get("mso-list") === "ignore") return;
    const inner = innerOf(node, name, style, around);
    if (name === "BR") this.#leaf("\n", around);
    else if (name === "TD" || name === "TH") this.#cell(node, around);
    else if (BLOCKS.has(name)) this.#block(node, inner);
    else this.read(node, inner);
  }

  #block(node: HtmlNode, inner: Around): void {
    this.#isOpen = false;
    this.read(node, inner);
    this.#isOpen = false;
  }

  #cell(node: HtmlNode, around: Around): void {
    if (this.#isOpen) this.#leaf("\t", around);
    this.read(node, around);
  }

  #text(text: string, around: Around): void {
    const shown = around.isPre ? text.replace(/\r\n?/g, "\n") : text.replace(/[ \t\r\n\f]+/g, " ");
    // Blanks between two blocks are the layout of the source.
    if (shown === "" || (!this.#isOpen && !around.isPre && shown === " ")) return;
    this.#leaf(shown, around);
  }

  #leaf(text: string, around: Around): void {
    const { modifiers, start } = around;
    if (!this.#isOpen) {
      if (text === "\n") return;
      this.lines.push({ start, leaves: [] });
      this.#isOpen = true;
    }
    const url = start.type === "code" ? undefined : around.url;
    const shown = MODIFIERS.filter((name) => modifiers.has(name) && isShown(name, around));
    this.lines.at(-1)?.leaves.push({ text, modifiers: shown, url });
  }
}

function innerOf(node: HtmlNode, name: string, style: Style, around: Around): Around {
  const modifiers = modifiersOf(name, style, around.modifiers);
  const url = name === "A" ? urlOf(node, around) : around.url;
  const inner = { ...around, modifiers, url };
  if (/^H[1-6]$/.test(name)) return { ...inner, start: { type: "heading", level: Number(name[1]) } };
  if (name === "PRE") return { ...inner, isPre: true, start: { type: "code", ...languageOf(node) } };
  if (name === "BLOCKQUOTE") return { ...inner, start: { type: "quote" } };
  if (name === "UL" || name === "OL")
    return { ...inner, lists: [...around.lists, name === "OL" ? "ordered" : "unordered"] };
  if (name === "LI")
    return { ...inner, start: { type: "item", lists: around.lists.length > 0 ? around.lists : ["unordered"] } };
  return name === "P" ? { ...inner, start: wordStart(node, style) ?? around.start } : inner;
}

/** Marks that a text shows beside those of its block: code has none, headings are bold and links underlined already. */
const isShown = (name: Modifier, { start, url }: Around): boolean =>
  start.type !== "code" &&
  !(name === "bold" && start.type === "heading") &&
  !(name === "underline" && url !== undefined);

function urlOf(node: HtmlNode, { url }: Around): string | undefined {
  const found = node.getAttribute?.("href")?.trim();
  return found && isLinkUrl(found) && !found.startsWith("#") ? found : url;
}

function languageOf(node: HtmlNode): { language?: string } {
  const names = [node, ...node.childNodes].map((each) => each.getAttribute?.("class") ?? "").join(" ");
  const language = /(?:^|\s)lang(?:uage)?-([\w+#-]+)/.exec(names)?.[1];
  return language ? { language } : {};
}

/** Word writes items of lists as paragraphs: `mso-list:l0 level2 lfo1`, with the mark as a text that is to be ignored. */
function wordStart(node: HtmlNode, style: Style): LineStart | undefined {
  const level = /level(\d+)/.exec(style.get("mso-list") ?? "")?.[1];
  if (!level) return WORD_STYLES[node.getAttribute?.("class") ?? ""];
  const format = NUMBERED.test(markOf(node) ?? "") ? "ordered" : "unordered";
  return { type: "item", lists: Array.from({ length: Number(level) }, () => format) };
}

function markOf(node: HtmlNode): string | undefined {
  if (node.nodeType !== ELEMENT) return undefined;
  if (styleOf(node).get("mso-list") === "ignore") return textOf(node);
  for (const child of node.childNodes) {
    const found = markOf(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

const textOf = (node: HtmlNode): string => node.nodeValue ?? [...node.childNodes].map(textOf).join("");

type Style = ReadonlyMap<string, string>;

function styleOf(node: HtmlNode): Style {
  const entries = (node.getAttribute?.("style") ?? "").toLowerCase().split(";");
  return new Map(
    entries
      .filter((entry) => entry.includes(":"))
      .map((entry) => {
        const at = entry.indexOf(":");
        return [entry.slice(0, at).trim(), entry.slice(at + 1).trim()] as const;
      }),
  );
}

/** Google Docs says by styles what others say by elements; its outermost `<b>` has a normal weight. */
function modifiersOf(name: string, style: Style, around: ReadonlySet<Modifier>): ReadonlySet<Modifier> {
  const result = new Set(around);
  const set = (modifier: Modifier, isSet: boolean) => (isSet ? result.add(modifier) : result.delete(modifier));
  const byTag = MODIFIER_TAGS[name];
  if (byTag) result.add(byTag);
  const weight = style.get("font-weight");
  if (weight) set("bold", /^(?:bold|[6-9]00)/.test(weight));
  const slant = style.get("font-style");
  if (slant) set("italic", /^(?:italic|oblique)/.test(slant));
  const line = style.get("text-decoration-line") ?? style.get("text-decoration");
  if (line?.includes("underline")) result.add("underline");
  if (line?.includes("line-through")) result.add("strikethrough");
  return result;
}

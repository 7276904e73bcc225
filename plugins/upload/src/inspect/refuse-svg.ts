import { createReadStream } from "node:fs";
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes";
import { ActiveSvgError } from "../errors.js";
import { encodingOf, readHead } from "./read-text.js";

const STRUCTURE = "svg g defs symbol use switch a view title desc metadata style";
const SHAPES = "path rect circle ellipse line polyline polygon image";
const TEXTS = "text tspan tref textPath altGlyph altGlyphDef altGlyphItem glyphRef";
/** Of fonts and colours that SVG 1.1 had, and of the flowed text that one well-known editor writes. */
const OLDER = `font font-face font-face-src font-face-uri font-face-format font-face-name glyph missing-glyph hkern vkern
  color-profile cursor flowRoot flowRegion flowRegionExclude flowDiv flowPara flowSpan flowLine`;
const PAINT = `linearGradient radialGradient meshgradient mesh meshrow meshpatch stop pattern hatch hatchpath solidcolor
  solidColor marker clipPath mask`;
const FILTERS = `filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
  feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge
  feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`;
const MOTION = "animate animateColor animateMotion animateTransform mpath set";

/**
 * The elements that a picture is made of: those of SVG without scripts, pages, sound and film.
 *
 * @source https://www.w3.org/TR/SVG11/eltindex.html
 * @source https://www.w3.org/TR/SVG2/eltindex.html
 * @source https://www.w3.org/TR/filter-effects-1/
 */
const PICTURE_ELEMENTS: ReadonlySet<string> = new Set(
  [STRUCTURE, SHAPES, TEXTS, OLDER, PAINT, FILTERS, MOTION].join(" ").split(/\s+/),
);

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";
const XML = "http://www.w3.org/XML/1998/namespace";

/**
 * Namespaces that browsers interpret, or once did. Elements and attributes of others, such as those of editors, have no
 * effect.
 */
const ACTED_ON =
  /^http:\/\/www\.w3\.org\/(?:1999\/xhtml|1998\/Math|2001\/xml-events|1999\/XSL|2001\/XInclude|2003\/XInclude|ns\/xbl)|mozilla\.org|schemas-microsoft-com/i;

/** Processing instructions that browsers ignore. */
const HARMLESS_INSTRUCTIONS = /^(?:xpacket|adobe-[\w-]+)$/i;

/** Attributes that animations may not change, because their values are checked only once. */
const NOT_ANIMATED = /^(?:on|(?:xlink:)?href$|style$|src$)/i;

/** Addresses of a link, which a user has to click. */
const LINK = /^(?:https?:\/\/|mailto:)/i;

/** Depth of elements. Browsers reject more than 256, and looking up a namespace takes longer with each. */
const MAX_DEPTH = 256;

/** Encodings that are compatible with ASCII. */
const KNOWN_ENCODINGS = /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii|ascii|iso-8859-\d+|windows-125\d)$/i;

/**
 * Rejects an SVG that is more than a picture: elements that are not on the list, event handlers, references to
 * elsewhere, declarations of entities. It is read as XML, as browsers do, and rejected where it is not XML.
 *
 * @throws PLINTH_UPLOAD_SVG_ACTIVE (400)
 */
export async function refuseActiveSvg(path: string, name: string): Promise<void> {
  const head = await readHead(path);
  const declared = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']*)/i.exec(
    head.toString("latin1").replaceAll("\u0000", ""),
  )?.[1];
  if (declared !== undefined && !KNOWN_ENCODINGS.test(declared)) {
    throw new ActiveSvgError({ name, what: `the encoding "${declared}"` });
  }
  const reader = new SvgReader((what) => {
    throw new ActiveSvgError({ name, what });
  });
  const decoder = new TextDecoder(encodingOf(head));
  for await (const chunk of createReadStream(path, { highWaterMark: 64 * 1024 })) {
    reader.write(decoder.decode(chunk as Buffer, { stream: true }));
  }
  reader.write(decoder.decode());
  reader.close();
}

/** Reads an SVG part by part, and reports the first thing that is more than a picture. */
class SvgReader {
  readonly #parser = new SaxesParser({ xmlns: true, position: false });
  /** Names of the elements that are open, from the root. */
  readonly #open: string[] = [];
  #style = "";

  constructor(private readonly refuse: (what: string) => never) {
    const parser = this.#parser;
    parser.on("error", (error) => refuse(`an error in its XML: ${error.message.slice(0, 200)}`));
    parser.on("doctype", (text) => {
      if (/<!|%/.test(text)) refuse("an entity of its own");
    });
    parser.on("processinginstruction", ({ target }) => {
      if (!HARMLESS_INSTRUCTIONS.test(target)) refuse(`the instruction <?${target}?>`);
    });
    parser.on("opentag", (tag) => this.#enter(tag));
    parser.on("closetag", () => this.#leave());
    parser.on("text", (text) => this.#read(text));
    parser.on("cdata", (text) => {
      // Text here becomes markup where the file is inlined into HTML.
      if (text.includes("<")) refuse("markup in a CDATA section");
      this.#read(text);
    });
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  close(): void {
    this.#parser.close();
  }

  #enter({ name, prefix, local, uri, attributes }: SaxesTagNS): void {
    const isOfSvg = uri === SVG || uri === "";
    // Without a prefix it becomes an element of SVG or HTML where the file is inlined into a page.
    const isKnown = isOfSvg ? PICTURE_ELEMENTS.has(local) : prefix !== "" && !ACTED_ON.test(uri);
    if (!isKnown) this.refuse(`the element <${name}>`);
    const parent = this.#open.at(-1);
    if (parent === "title" || parent === "desc") this.refuse(`the element <${name}> in <${parent}>`);
    if (this.#open.length >= MAX_DEPTH) this.refuse(`more than ${MAX_DEPTH} elements in each other`);
    this.#open.push(isOfSvg ? local : name);
    for (const attribute of Object.values(attributes)) this.#checkAttribute(isOfSvg ? local : "", attribute);
  }

  #checkAttribute(element: string, { name, prefix, local, uri, value }: SaxesAttributeNS): void {
    if (prefix === "xmlns" || name === "xmlns") return;
    if (/^on/i.test(local)) this.refuse(`an event handler (${name})`);
    if ((uri === XML && local === "base") || ACTED_ON.test(uri)) this.refuse(`the attribute ${name}`);
    if (name === "attributeName" && NOT_ANIMATED.test(value.trim())) this.refuse(`an animation of "${value.trim()}"`);
    const isReference = (uri === "" || uri === XLINK) && /^(?:href|src)$/i.test(local);
    if (isReference && !isInside(value) && !(element === "a" && LINK.test(value.trim()))) {
      this.refuse(`a reference to elsewhere (${name})`);
    }
    // Attributes of SVG are read as styles are; most of them are numbers, and are not looked at again.
    const found = uri === "" && (name === "style" || /[(\\]/.test(value)) ? findActiveCss(value) : undefined;
    if (found !== undefined) this.refuse(found);
  }

  #leave(): void {
    if (this.#open.pop() !== "style") return;
    const found = findActiveCss(this.#style);
    this.#style = "";
    if (found !== undefined) this.refuse(found);
  }

  #read(text: string): void {
    if (this.#open.at(-1) === "style") this.#style += text;
  }
}

/** Active parts of style sheets: they load others, and run scripts in old browsers. */
const ACTIVE =
  /@import|@namespace|\bexpression\s*\(|-moz-binding|\bbehavior\s*:|javascript:|\b(?:image-set|image|src)\s*\(/i;

/** An address, to its closing bracket or to the end, where it may be left out. */
const ADDRESS = /\burl\s*\(\s*["']?([^"')]*)/gi;

/** A place in the same file, a picture or a font that is written out here. */
const INSIDE = /^(?:#|$|data:(?:image\/(?:png|jpe?g|gif|webp|avif|bmp)|(?:application\/(?:x-)?)?font)[;/,-])/i;

/** The first active part of a style sheet, or of the value of an attribute. Undefined without one. */
function findActiveCss(text: string): string | undefined {
  const css = unescapeCss(text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " "));
  const active = ACTIVE.exec(css)?.[0];
  if (active !== undefined) return `"${active}" in its styles`;
  const elsewhere = [...css.matchAll(ADDRESS)].find(([, address = ""]) => !isInside(address));
  return elsewhere && "a reference to elsewhere in its styles";
}

/** Whether a reference leads to a place in the same file, or is the picture itself. */
function isInside(reference: string): boolean {
  // As browsers read addresses: what stands around them and line breaks in them do not count.
  return INSIDE.test(reference.replace(/[\t\n\r]/g, "").trim());
}

/**
 * Characters that are written as numbers or after a backslash are themselves.
 *
 * @source https://www.w3.org/TR/css-syntax-3/#consume-escaped-code-point
 */
function unescapeCss(css: string): string {
  return css.replace(/\\(?:([\da-f]{1,6})\s?|([\s\S]))/gi, (_whole, hex?: string, other?: string) => {
    if (hex === undefined) return other === "\n" ? "" : (other ?? "");
    const code = Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
  });
}

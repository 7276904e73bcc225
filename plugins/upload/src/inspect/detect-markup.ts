import type { FileType } from "./file-types.js";

const HTML: FileType = { mime: "text/html", ext: ".html" };
const XHTML: FileType = { mime: "application/xhtml+xml", ext: ".xhtml" };
const SVG: FileType = { mime: "image/svg+xml", ext: ".svg" };
const XML: FileType = { mime: "application/xml", ext: ".xml" };

/**
 * Tags by which browsers detect HTML without a Content-Type.
 *
 * @source https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type
 */
const HTML_TAGS = new Set("html head script iframe h1 div font table a style title b body br p".split(" "));

/** The syntax that may precede the first tag: comments, instructions, a document type with its definitions. */
const PROLOG = /^(?:\s+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!doctype[^>[]*(?:\[[\s\S]*?\]\s*)?>)/i;

/** Detects the kind of markup by its first tag. Undefined for a text that is not markup. */
export function detectMarkup(text: string): FileType | undefined {
  const { prolog, rest } = splitProlog(text.replace(/^\ufeff/, ""));
  const doctype = /<!doctype\s+([\w:-]+)/i.exec(prolog)?.[1]?.toLowerCase();
  const [, tag, attributes = ""] = /^<([a-z_][\w:.-]*)([^>]*)/i.exec(rest) ?? [];
  const local = tag?.toLowerCase().replace(/^.*:/, "");
  const isXml = /^\s*<\?xml/i.test(prolog) || /\sxmlns(?::[\w.-]+)?\s*=/.test(attributes);
  if (local === "svg" || doctype === "svg") return SVG;
  if (local !== undefined && (HTML_TAGS.has(local) || doctype === "html")) return isXml ? XHTML : HTML;
  if (doctype === "html" || /^<!--/.test(rest)) return HTML;
  return isXml || doctype !== undefined ? XML : undefined;
}

function splitProlog(text: string): { readonly prolog: string; readonly rest: string } {
  let at = 0;
  for (let found = PROLOG.exec(text); found; found = PROLOG.exec(text.slice(at))) at += found[0].length;
  return { prolog: text.slice(0, at), rest: text.slice(at) };
}

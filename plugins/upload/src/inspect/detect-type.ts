import { fileTypeFromFile } from "file-type";
import { TypeMismatchError } from "../errors.js";
import {
  canonicalExt,
  extOfName,
  type FileType,
  inertTextMime,
  isSameFamily,
  isVerifiable,
  typeWrittenIn,
  UNKNOWN_TYPE,
} from "./file-types.js";
import { readHead, readText } from "./read-text.js";

/** Text formats that are detected by their first bytes. */
const TEXTUAL = new Set([
  "application/pdf",
  "application/rtf",
  "application/postscript",
  "application/eps",
  "application/pgp-encrypted",
  "text/calendar",
  "text/vcard",
  "text/vtt",
]);

/**
 * Detects the type of a file. Its content decides; its name only chooses among types that the content may have.
 *
 * @param name - as the client called it.
 * @throws PLINTH_UPLOAD_TYPE_MISMATCH (400) when the name does not match the content
 */
export async function detectType(path: string, name: string): Promise<FileType> {
  const text = readText(await readHead(path));
  const magic = await detectMagic(path);
  const claimed = extOfName(name);
  const type =
    text !== undefined && !(magic && TEXTUAL.has(magic.mime)) ? typeOfText(text, claimed) : (magic ?? UNKNOWN_TYPE);
  return reconcile(type, claimed, name);
}

async function detectMagic(path: string): Promise<FileType | undefined> {
  try {
    const found = await fileTypeFromFile(path);
    // Lists of types have no parameters (`audio/ogg; codecs=opus`).
    return found && { mime: found.mime.replace(/;.*/, ""), ext: `.${found.ext}` };
  } catch (error) {
    // The disk failed; any other error means truncated or invalid content, which has no type.
    if (error instanceof Error && "syscall" in error) throw error;
    return undefined;
  }
}

function typeOfText(text: string, claimed: string): FileType {
  const inert = inertTextMime(claimed);
  if (inert?.endsWith("json") ? /^\s*[[{"\d\-tfn]/.test(text) : inert !== undefined) {
    return { mime: inert ?? "", ext: `.${claimed}` };
  }
  const markup = detectMarkup(text);
  if (markup) return markup;
  return canonicalExt(claimed) === "html" ? { mime: "text/html", ext: ".html" } : { mime: "text/plain", ext: ".txt" };
}

/** @throws PLINTH_UPLOAD_TYPE_MISMATCH (400) */
function reconcile(type: FileType, claimed: string, name: string): FileType {
  const ext = type.ext.slice(1);
  if (canonicalExt(claimed) === canonicalExt(ext)) return { mime: type.mime, ext: `.${claimed}` };
  const refined = typeWrittenIn(type.mime, claimed);
  if (refined) return refined;
  const isHonest = !isVerifiable(claimed) || isSameFamily(claimed, ext) || isMarkup(claimed, type.mime);
  if (!isHonest) throw new TypeMismatchError({ name, ext: `.${claimed}`, mime: type.mime });
  return type;
}

/** Whether the name says markup, and the content is markup of another kind. An SVG is an image, so its name must fit. */
function isMarkup(claimed: string, mime: string): boolean {
  return /^(?:html?|xhtml|xml)$/.test(claimed) && /xml|html/.test(mime);
}

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
function detectMarkup(text: string): FileType | undefined {
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

import { fileTypeFromFile } from "file-type";
import { TypeMismatchError } from "../errors.js";
import { detectMarkup } from "./detect-markup.js";
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

import { ActiveSvgError } from "../errors.js";
import { encodingOf, readHead } from "./read-text.js";
import { scanFile } from "./scan-file.js";

/** What makes an SVG more than a picture. White space is one space here, and characters written as numbers are themselves. */
const ACTIVE = [
  { what: "a script", pattern: /<(?:[\w.-]+:)?(?:script|handler|listener)[\s/>]/i },
  { what: "an event handler", pattern: /[\s"'/]on[a-z]{2,30} ?=/i },
  { what: "a javascript: address", pattern: /j ?a ?v ?a ?s ?c ?r ?i ?p ?t ?:|v ?b ?s ?c ?r ?i ?p ?t ?:/i },
  {
    what: "an embedded page",
    pattern:
      /<(?:[\w.-]+:)?(?:foreignobject|iframe|object|embed|meta|base)[\s/>]|data:(?:text\/html|[\w.+-]*\/?[\w.+-]*xml)/i,
  },
  { what: "an entity of its own", pattern: /<!(?:entity|attlist)/i },
  { what: "a style sheet from elsewhere", pattern: /<\?xml-stylesheet/i },
] as const;

/** Encodings whose bytes are the characters that are looked for. */
const KNOWN_ENCODINGS = /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii|ascii|iso-8859-\d+|windows-125\d)$/i;

/**
 * Refuses an SVG that could do something, where it is shown.
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
  const found = await scanFile(path, ACTIVE, { encoding: encodingOf(head), normalize });
  if (found) throw new ActiveSvgError({ name, what: found.what });
}

function normalize(text: string): string {
  return text
    .replace(/&#(?:x([\da-f]{1,64})|(\d{1,64}));?/gi, (whole, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code < 0x80 ? String.fromCharCode(code) : whole;
    })
    .replace(/&(?:colon|tab|newline);/gi, (name) => (name.toLowerCase() === "&colon;" ? ":" : " "))
    .replace(/\s+/g, " ");
}

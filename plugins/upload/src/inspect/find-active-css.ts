/** Active parts of style sheets: they load others, and run scripts in old browsers. */
const ACTIVE =
  /@import|@namespace|\bexpression\s*\(|-moz-binding|\bbehavior\s*:|javascript:|\b(?:image-set|image|src)\s*\(/i;

/** An address, to its closing bracket or to the end, where it may be left out. */
const ADDRESS = /\burl\s*\(\s*["']?([^"')]*)/gi;

/** A place in the same file, a picture or a font that is written out here. */
const INSIDE = /^(?:#|$|data:(?:image\/(?:png|jpe?g|gif|webp|avif|bmp)|(?:application\/(?:x-)?)?font)[;/,-])/i;

/** The first active part of a style sheet, or of the value of an attribute. Undefined without one. */
export function findActiveCss(text: string): string | undefined {
  const css = unescapeCss(text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " "));
  const active = ACTIVE.exec(css)?.[0];
  if (active !== undefined) return `"${active}" in its styles`;
  const elsewhere = [...css.matchAll(ADDRESS)].find(([, address = ""]) => !isInside(address));
  return elsewhere && "a reference to elsewhere in its styles";
}

/** Whether a reference leads to a place in the same file, or is the picture itself. */
export function isInside(reference: string): boolean {
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

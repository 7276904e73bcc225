import type { AttributeKind } from "../../../src/wire/model.js";

/** A number as a reader of a language writes it; text stays as it is. */
export function formatNumber(value: number | string | null | undefined, kind: AttributeKind, language: string): string {
  if (value === null || value === undefined) return "";
  const plain = String(value);
  if (kind === "biginteger" || !Number.isFinite(Number(plain))) return plain;
  return plain.replace(".", signsOf(language).decimal);
}

/** What a language writes between whole and part, and between groups of three digits. */
interface Signs {
  readonly decimal: string;
  readonly group: string;
}

const known = new Map<string, Signs>();

function signsOf(language: string): Signs {
  const found = known.get(language);
  if (found) return found;
  const parts = new Intl.NumberFormat(language, { numberingSystem: "latn" }).formatToParts(1_234_567.5);
  const sign = (wanted: string, otherwise: string) => parts.find(({ type }) => type === wanted)?.value ?? otherwise;
  const signs = { decimal: sign("decimal", "."), group: sign("group", ",") };
  known.set(language, signs);
  return signs;
}

/** What came of reading a number; of one that can be read in two ways, both as they are written without doubt. */
export type NumberReading =
  | { readonly value: number | string }
  | { readonly whole: string; readonly part: string | undefined }
  | undefined;

/**
 * Reads the number that somebody typed. A biginteger stays text, because JSON's numbers lose digits of it.
 *
 * One sign between groups of three digits is in other languages the one between whole and part: `1.234` is asked about, and
 * not taken for either. `1.234,5` and `1.234.567` have one reading.
 *
 * @returns undefined for what is not a number of the kind
 */
export function readNumber(text: string, kind: AttributeKind, language: string): NumberReading {
  const { decimal, group } = signsOf(language);
  const isWhole = kind === "integer" || kind === "biginteger";
  const typed = text.trim();
  const grouped = groupedDigits(typed, group, decimal);
  if (grouped?.isDoubtful) {
    const part = typed.replace(group, decimal);
    return { whole: grouped.plain, part: isWhole ? undefined : part };
  }
  const plain = grouped?.plain ?? typed.replace(decimal, ".");
  if (isWhole ? !/^[+-]?\d+$/.test(plain) : !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) return undefined;
  return { value: kind === "biginteger" ? plain : Number(plain) };
}

/** A number in groups of three, without them; undefined where it has no groups. */
function groupedDigits(typed: string, group: string, decimal: string) {
  const isBlank = group.trim() === "";
  const sign = isBlank ? "\\s" : `\\${group}`;
  const form = new RegExp(`^([+-]?[1-9]\\d{0,2}(?:${sign}\\d{3})+)(?:\\${decimal}(\\d*))?$`);
  const [, whole, part] = form.exec(typed) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole.replace(new RegExp(sign, "g"), "");
  const isDoubtful = !isBlank && part === undefined && whole.indexOf(group) === whole.lastIndexOf(group);
  return { plain: part === undefined ? digits : `${digits}.${part}`, isDoubtful };
}

const MARK = " ?";

/** How text is kept that is not a number, or not for sure: with a mark, by which the server does not take it for one either. */
export const keepText = (typed: string): string => typed + MARK;

/** The text that was kept so; undefined for a value that is a number. */
export const keptText = (value: unknown): string | undefined =>
  typeof value === "string" && value.endsWith(MARK) ? value.slice(0, -MARK.length) : undefined;

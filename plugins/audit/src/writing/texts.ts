/** Characters that a short text of an entry may have. */
const LONGEST = 200;
/** Characters that a value may have as JSON. */
const LONGEST_VALUE = 2_000;

/** A text as an entry holds it: PostgreSQL has no NUL, and half a character of UTF-16 is none. */
export function shortened(text: string, most?: number): string;
export function shortened(text: string | undefined, most?: number): string | null;
export function shortened(text: string | undefined, most = LONGEST): string | null {
  return text === undefined ? null : clean(text.slice(0, most));
}

/** UTF-8 has no halves of characters: each becomes U+FFFD. */
const clean = (text: string): string => Buffer.from(text.replaceAll("\0", "")).toString();

/** Details as an entry holds them: of a value that is too long its length alone. */
export function shortenedValues(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const kept = Object.entries(details).flatMap(([name, value]) => {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) return [];
    const isLong = text.length > LONGEST_VALUE;
    return [[shortened(name), isLong ? { characters: text.length } : cleanValue(JSON.parse(text))] as const];
  });
  return Object.fromEntries(kept);
}

/** A value of JSON whose texts and keys are clean. */
function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [clean(key), cleanValue(each)]));
}

/** A name in SQL. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

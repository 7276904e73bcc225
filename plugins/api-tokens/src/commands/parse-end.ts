import { InvalidLifetimeError } from "../errors.js";

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/**
 * The end of a token's life, in ISO 8601: of `30d` (`h`, `d`, `w`) from now on, or of a date.
 *
 * @param now - milliseconds since 1970.
 * @throws PLINTH_TOKENS_INVALID_LIFETIME (400)
 */
export function parseEnd(text: string, now: number): string {
  const [, count, unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now + Number(count) * (UNITS[unit] ?? 0)).toISOString();
  const isDate = /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));
  if (!isDate) throw new InvalidLifetimeError({ text });
  return new Date(text).toISOString();
}

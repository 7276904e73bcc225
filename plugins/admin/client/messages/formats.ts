import { language } from "./text.js";

const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();

/** A date as the reader writes it. Formats are kept: making one takes as long as a hundred uses, and a list has hundreds of dates. */
export function formatDate(date: Date, options: Intl.DateTimeFormatOptions): string {
  const key = `${language()} ${JSON.stringify(options)}`;
  const format = dates.get(key) ?? new Intl.DateTimeFormat(language(), options);
  dates.set(key, format);
  return format.format(date);
}

/** A number as the reader writes it, in groups of digits. */
export function formatGrouped(value: number): string {
  const format = numbers.get(language()) ?? new Intl.NumberFormat(language());
  numbers.set(language(), format);
  return format.format(value);
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
const STEP = 1000;

/** A number of bytes as the reader writes it: `2.4 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP)));
  const value = bytes / STEP ** power;
  const options = { style: "unit", unit: UNITS[power], unitDisplay: power === 0 ? "long" : "short" } as const;
  return new Intl.NumberFormat(language(), { ...options, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}

/** Width and height of a picture. They keep their order in a text that goes from right to left. */
export const formatPixels = (width: number, height: number): string => `\u2066${width} × ${height}\u2069`;

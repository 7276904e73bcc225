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

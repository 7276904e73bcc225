import { refuseRequest } from "./value-problem.js";
import type { ParsedValue, ValueContext } from "./value-problem.js";

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/s;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?$/;
const DATETIME =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
const EPOCH_MILLISECONDS = /^-?\d+$/;

/** Years that PostgreSQL and four-digit ISO texts both write alike. */
const MIN_INSTANT = Date.parse("0001-01-01T00:00:00.000Z");
const MAX_INSTANT = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Dates: `2024-03-01`; a datetime is cut after its day, in the words of the input, without regard to its offset.
 *
 * @source plugins/content-api/WIRE.md#values
 */
export function parseDate(input: unknown, context: ValueContext): ParsedValue {
  const match = typeof input === "string" ? DATE.exec(input) : null;
  if (!match) return refuseRequest(context, "Invalid format, expected yyyy-MM-dd", input);
  const [, year, month, day] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return refuseRequest(context, "Invalid date", input);
  return { value: `${year}-${month}-${day}` };
}

/** Times of day, with seconds: `08:09:10`, `13:45:10.123`; zeros at the end of the fraction go, as PostgreSQL prints them. */
export function parseTime(input: unknown, context: ValueContext): ParsedValue {
  if (typeof input !== "string" || !TIME.test(input)) {
    return refuseRequest(context, "Invalid time format, expected HH:mm:ss.SSS", input);
  }
  return { value: input.replace(/\.?0+$/, (zeros) => (input.includes(".") ? "" : zeros)) };
}

/**
 * Instants: ISO 8601 with or without offset (UTC then), a date, or milliseconds since 1970 as number or text.
 * Years 1 to 9999. The stored form is UTC with milliseconds: `2024-05-05T10:20:30.400Z`.
 */
export function parseDatetime(input: unknown, context: ValueContext): ParsedValue {
  const instant = toInstant(input);
  if (instant === undefined || !(instant >= MIN_INSTANT && instant <= MAX_INSTANT)) {
    return refuseRequest(context, "Invalid format, expected a timestamp or an ISO date", input);
  }
  return { value: new Date(instant).toISOString() };
}

function toInstant(input: unknown): number | undefined {
  if (input instanceof Date) return input.getTime();
  if (typeof input === "number") return Math.trunc(input);
  if (typeof input !== "string") return undefined;
  const match = DATETIME.exec(input.trim());
  if (match) return fromIsoParts(match);
  return EPOCH_MILLISECONDS.test(input.trim()) ? Number(input) : undefined;
}

function fromIsoParts(match: RegExpExecArray): number | undefined {
  const [, year, month = "1", day = "1", hour = "0", minute = "0", second = "0", fraction = "0", offset] = match;
  const clock = [Number(hour), Number(minute), Number(second)] as const;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (clock[0] > 23 || clock[1] > 59 || clock[2] > 59) return undefined;
  const minutesEast = toMinutesEast(offset);
  if (minutesEast === undefined) return undefined;
  const milliseconds = Number(fraction.padEnd(3, "0").slice(0, 3));
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(clock[0], clock[1] - minutesEast, clock[2], milliseconds);
  return date.getTime();
}

function toMinutesEast(offset: string | undefined): number | undefined {
  if (!offset || offset.toUpperCase() === "Z") return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(":", ""));
  if (hours > 15 || minutes > 59) return undefined;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** Whether the calendar has this day; years from 1. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

import type { ScalarAttribute, SystemId } from "./model.js";
import { parseBlocks } from "./parse-blocks.js";
import { parseCastText, parseJson, parsePassword, parseText } from "./parse-json.js";
import {
  type ParsedValue,
  refuse,
  refuseRequest,
  type ValueContext,
  type ValueParser,
  wrongType,
} from "./value-problem.js";

/** How each kind reads its values; the row id has a row too. */
const PARSERS = {
  string: parseText,
  text: parseText,
  richtext: parseText,
  email: parseText,
  uid: parseText,
  enumeration: parseCastText,
  password: parsePassword,
  date: parseDate,
  time: parseTime,
  datetime: parseDatetime,
  timestamp: parseDatetime,
  integer: parseInteger,
  biginteger: parseBigInteger,
  float: parseFloatingPoint,
  decimal: parseDecimal,
  boolean: parseBoolean,
  json: parseJson,
  blocks: parseBlocks,
  id: parseRowId,
} satisfies Record<ScalarAttribute["kind"] | SystemId["kind"], ValueParser>;

/**
 * Coerces one input value of a scalar attribute to the value that is stored and compared: datetimes as
 * `2024-05-05T10:20:30.400Z`, dates `2024-05-05`, times `10:20:30` or `10:20:30.4`, bigintegers as decimal text,
 * decimals rounded to two digits (not in filters), passwords in clear text. The same form serves as SQL parameter and
 * inside the jsonb of components; json and blocks come as JavaScript values.
 *
 * Null passes: `checkValue` knows about `required`. Undefined has to be sorted out by the caller.
 *
 * @param input - text from a query string, or any JSON value.
 * @returns the value, or the problems; never throws.
 * @source plugins/content-api/WIRE.md#values
 * @source plugins/content-api/WIRE.md#messages-about-values
 */
export function parseValue(
  attribute: Pick<ScalarAttribute | SystemId, "kind">,
  input: unknown,
  context: ValueContext,
): ParsedValue {
  if (input === null) return { value: null };
  return PARSERS[attribute.kind](input, context);
}

const MAX_INTEGER = 2 ** 31 - 1;
const MIN_INTEGER = -(2 ** 31);
const MAX_BIG = 2n ** 63n - 1n;
const MIN_BIG = -(2n ** 63n);
/** numeric(10,2): eight digits before the point. */
const MAX_DECIMAL = 99_999_999.99;

const DECIMAL_TEXT = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const INTEGER_TEXT = /^[+-]?\d{1,40}$/;

/** int4: `12`, `"12"`. */
function parseInteger(input: unknown, context: ValueContext): ParsedValue {
  const number = toNumber(input);
  if (!Number.isFinite(number)) return refuseNumber(input, number, context);
  if (!Number.isInteger(number)) return refuse(context, "must be an integer", number);
  return inRange(number, MIN_INTEGER, MAX_INTEGER, context);
}

/** float8: any finite number. */
function parseFloatingPoint(input: unknown, context: ValueContext): ParsedValue {
  const number = toNumber(input);
  return Number.isFinite(number) ? { value: number } : refuseNumber(input, number, context);
}

/** numeric(10,2): rounded half away from zero as PostgreSQL does; filters compare with the number as given. */
function parseDecimal(input: unknown, context: ValueContext): ParsedValue {
  const number = toNumber(input);
  if (!Number.isFinite(number)) return refuseNumber(input, number, context);
  return inRange(context.use === "filter" ? number : roundToCents(number), -MAX_DECIMAL, MAX_DECIMAL, context);
}

/** int8, as decimal text: a JavaScript number cannot hold them all, so numbers beyond 2^53 have to be given as texts. */
function parseBigInteger(input: unknown, context: ValueContext): ParsedValue {
  if (typeof input === "number" && Number.isInteger(input) && !Number.isSafeInteger(input)) {
    return refuse(
      context,
      "must be given as a string when it is beyond 9007199254740991, or digits would be lost",
      input,
    );
  }
  const isInteger = typeof input === "string" ? INTEGER_TEXT.test(input.trim()) : Number.isInteger(input);
  if (!isInteger) return refuse(context, "must be a valid integer", input);
  const big = BigInt(String(input).trim().replace(/^\+/, ""));
  if (big < MIN_BIG || big > MAX_BIG) return refuse(context, outOfRange(MIN_BIG, MAX_BIG), input);
  return { value: String(big) };
}

/** Row ids: positive integers that JavaScript can hold; a number. */
function parseRowId(input: unknown, context: ValueContext): ParsedValue {
  const number = toNumber(input);
  if (!Number.isFinite(number)) return refuseNumber(input, number, context);
  if (!Number.isInteger(number)) return refuse(context, "must be an integer", number);
  return inRange(number, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, context);
}

/**
 * Booleans: true, false, 1, 0 and these as texts, in any case; filters also take `t` and `f`.
 *
 * @source plugins/content-api/WIRE.md#values
 * @source plugins/content-api/WIRE.md#filters
 */
function parseBoolean(input: unknown, context: ValueContext): ParsedValue {
  if (typeof input === "boolean") return { value: input };
  const text = typeof input === "string" || typeof input === "number" ? String(input).toLowerCase() : "";
  const isFilter = context.use === "filter";
  if (text === "true" || text === "1" || (isFilter && text === "t")) return { value: true };
  if (text === "false" || text === "0" || (isFilter && text === "f")) return { value: false };
  return refuse(context, wrongType("boolean", input), input);
}

/** NaN for everything that is neither a number nor the decimal text of one; -0 becomes 0. */
function toNumber(input: unknown): number {
  if (typeof input === "number") return input + 0;
  if (typeof input !== "string" || !DECIMAL_TEXT.test(input.trim())) return Number.NaN;
  return Number(input) + 0;
}

/** Shifts the decimal text rather than multiplying, which would make 1.005 a little less than it is. */
function roundToCents(number: number): number {
  const size = Math.abs(number);
  if (size < 0.001 || size > MAX_DECIMAL + 1) return size < 0.001 ? 0 : number;
  return Math.sign(number) * Number(`${Math.round(Number(`${size}e2`))}e-2`) + 0;
}

function refuseNumber(input: unknown, number: number, context: ValueContext): ParsedValue {
  return refuse(context, wrongType("number", number, typeof input === "number" ? undefined : input), null);
}

function inRange(number: number, min: number, max: number, context: ValueContext): ParsedValue {
  return number >= min && number <= max ? { value: number } : refuse(context, outOfRange(min, max), number);
}

function outOfRange(min: number | bigint, max: number | bigint): string {
  return `must be between ${min} and ${max}`;
}

const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[T ].*)?$/s;
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
function parseDate(input: unknown, context: ValueContext): ParsedValue {
  const match = typeof input === "string" ? DATE.exec(input) : null;
  if (!match) return refuseRequest(context, "Invalid format, expected yyyy-MM-dd", input);
  const [, year, month, day] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return refuseRequest(context, "Invalid date", input);
  return { value: `${year}-${month}-${day}` };
}

/** Times of day, with seconds: `08:09:10`, `13:45:10.123`; zeros at the end of the fraction go, as PostgreSQL prints them. */
function parseTime(input: unknown, context: ValueContext): ParsedValue {
  if (typeof input !== "string") return refuseRequest(context, `Expected a string, got a ${typeof input}`, input);
  if (!TIME.test(input)) return refuseRequest(context, "Invalid time format, expected HH:mm:ss.SSS", input);
  return { value: input.replace(/\.?0+$/, (zeros) => (input.includes(".") ? "" : zeros)) };
}

/**
 * Instants: ISO 8601 with or without offset (UTC then), a date, or milliseconds since 1970 as number or text.
 * Years 1 to 9999. The stored form is UTC with milliseconds: `2024-05-05T10:20:30.400Z`.
 */
function parseDatetime(input: unknown, context: ValueContext): ParsedValue {
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

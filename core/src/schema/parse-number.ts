import { refuse, wrongType } from "./value-problem.js";
import type { ParsedValue, ValueContext } from "./value-problem.js";

const MAX_INTEGER = 2 ** 31 - 1;
const MIN_INTEGER = -(2 ** 31);
const MAX_BIG = 2n ** 63n - 1n;
const MIN_BIG = -(2n ** 63n);
/** numeric(10,2): eight digits before the point. */
const MAX_DECIMAL = 99_999_999.99;

const DECIMAL_TEXT = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const INTEGER_TEXT = /^[+-]?\d{1,40}$/;

/** int4: `12`, `"12"`. */
export function parseInteger(input: unknown, context: ValueContext): ParsedValue {
  const number = toNumber(input);
  if (!Number.isFinite(number)) return refuseNumber(input, number, context);
  if (!Number.isInteger(number)) return refuse(context, "must be an integer", number);
  return inRange(number, MIN_INTEGER, MAX_INTEGER, context);
}

/** float8: any finite number. */
export function parseFloatingPoint(input: unknown, context: ValueContext): ParsedValue {
  const number = toNumber(input);
  return Number.isFinite(number) ? { value: number } : refuseNumber(input, number, context);
}

/** numeric(10,2): rounded half away from zero as PostgreSQL does; filters compare with the number as given. */
export function parseDecimal(input: unknown, context: ValueContext): ParsedValue {
  const number = toNumber(input);
  if (!Number.isFinite(number)) return refuseNumber(input, number, context);
  return inRange(context.use === "filter" ? number : roundToCents(number), -MAX_DECIMAL, MAX_DECIMAL, context);
}

/** int8, as decimal text: a JavaScript number cannot hold them all, so numbers beyond 2^53 have to be given as texts. */
export function parseBigInteger(input: unknown, context: ValueContext): ParsedValue {
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
export function parseRowId(input: unknown, context: ValueContext): ParsedValue {
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
export function parseBoolean(input: unknown, context: ValueContext): ParsedValue {
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

import type { ScalarAttribute, SystemId } from "./model.js";
import { parseBlocks } from "./parse-blocks.js";
import { parseDate, parseDatetime, parseTime } from "./parse-date.js";
import { parseJson } from "./parse-json.js";
import {
  parseBigInteger,
  parseBoolean,
  parseDecimal,
  parseFloatingPoint,
  parseInteger,
  parseRowId,
} from "./parse-number.js";
import { parseCastText, parsePassword, parseText } from "./parse-text.js";
import type { ParsedValue, ValueContext, ValueParser } from "./value-problem.js";

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

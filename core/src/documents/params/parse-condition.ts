import type { CompareOperator, Filter } from "../../database/reads/query.js";
import { type FilterOperator, SCALAR_TRAITS, toSqlParameter, traitsOf } from "../../schema/attribute.js";
import type { ScalarAttribute, SystemId } from "../../schema/model.js";
import { parseValue } from "../../schema/parse-value.js";
import { InvalidFormatError, InvalidValueError, unseen, WrongOperatorError } from "./errors.js";
import {
  assertDepth,
  detailsOf,
  invalidKey,
  invalidShape,
  isObject,
  type Path,
  type ParseContext,
  readBoolean,
} from "./parse-context.js";

/** A field and the names that lead to it, its own included. */
export interface FieldPlace<Field = ScalarAttribute | SystemId> {
  readonly field: Field;
  readonly path: Path;
  readonly depth: number;
}

/** Texts take every operator there is. */
const OPERATORS: ReadonlySet<string> = new Set(SCALAR_TRAITS.string.operators);

/**
 * Turns the filter of one scalar attribute into a Filter: a value, a list, or operators, of which all hold.
 *
 * @param input - `"a"`, `["a", "b"]`, `{ $gt: "1", $lt: "5" }`, `{ $not: { $eq: "a" } }`, `{ $not: "a" }`
 * @throws see parseFilters
 */
export function parseCondition(reading: ParseContext, place: FieldPlace, input: unknown): Filter {
  assertDepth(reading, place.depth);
  if (!isObject(input)) return parseOperator(reading, place, "$eq", input);
  const items = Object.entries(input).map(([key, value]: [string, unknown]) =>
    parseOperator(reading, place, key, value),
  );
  return items.length === 1 && items[0] ? items[0] : { op: "and", items };
}

function parseOperator(reading: ParseContext, place: FieldPlace, key: string, input: unknown): Filter {
  const { field, path } = place;
  const inner = { ...place, depth: place.depth + 1 };
  if (key === "$and" || key === "$or") return parseList(reading, inner, key, input);
  if (key === "$not") return { op: "not", item: parseCondition(reading, inner, input) };
  const operator = operatorOf(reading, place, key);
  reading.meter.count("conditions", reading.param);
  if (operator === "$null" || operator === "$notNull") {
    return {
      op: "null",
      field: field.name,
      isNull: parseIsNull(reading, operator, path, input) === (operator === "$null"),
    };
  }
  return parseComparison(reading, place, operator, input);
}

function parseList(reading: ParseContext, place: FieldPlace, key: "$and" | "$or", input: unknown): Filter {
  if (!Array.isArray(input)) throw invalidShape(reading, key, place.path, "a list of objects of operators");
  const items = (input as readonly unknown[]).map((item) => parseCondition(reading, place, item));
  return items.length === 0 ? { op: "constant", value: key === "$and" } : { op: key === "$and" ? "and" : "or", items };
}

function operatorOf(reading: ParseContext, { field, path }: FieldPlace, key: string): FilterOperator {
  if (!OPERATORS.has(key)) throw invalidKey(reading, key, keyPath(field, path));
  const { operators } = traitsOf(field);
  const operator = operators.find((known) => known === key);
  if (operator) return operator;
  throw new WrongOperatorError({ ...detailsOf(reading, key, path), kind: field.kind, operators });
}

/** Ids are no attributes, and do not count in the path of a key below them. */
const keyPath = ({ name }: { readonly name: string }, path: Path): Path =>
  (name === "id" || name === "documentId") && path.at(-1) === name ? path.slice(0, -1) : path;

type ValueOperator = Exclude<FilterOperator, "$null" | "$notNull">;

function parseComparison(reading: ParseContext, place: FieldPlace, operator: ValueOperator, input: unknown): Filter {
  const { field, path } = place;
  if (operator === "$between") return parseBetween(reading, place, input);
  if (operator === "$in" || operator === "$notIn") return parseMembership(reading, place, operator, listOf(input));
  if (operator === "$eq" && Array.isArray(input) && field.kind !== "json")
    return parseMembership(reading, place, "$in", input);
  if (Array.isArray(input)) throw invalidShape(reading, operator, path, "one value");
  if (input === null && (operator === "$eq" || operator === "$ne")) {
    return { op: "null", field: field.name, isNull: operator === "$eq" };
  }
  const value = coerce(reading, place, operator, input);
  // The text of a JSON null.
  if (value === null) return { op: "null", field: field.name, isNull: operator === "$eq" };
  return compare(reading, place, operator, toSqlParameter(field, value));
}

const listOf = (input: unknown): readonly unknown[] => (Array.isArray(input) ? input : [input]);

function compare(reading: ParseContext, { field }: FieldPlace, operator: CompareOperator, value: unknown): Filter {
  return { op: "compare", field: field.name, operator, value: reading.values.add(value) };
}

function parseMembership(
  reading: ParseContext,
  place: FieldPlace,
  operator: "$in" | "$notIn",
  list: readonly unknown[],
): Filter {
  if (list.length === 0) return { op: "constant", value: operator === "$notIn" };
  reading.meter.count("listValues", reading.param, list.length);
  const values = list.map((item) => coerce(reading, place, operator, item));
  return compare(reading, place, operator, values);
}

/** Both ends included. @source plugins/content-api/WIRE.md#filters */
function parseBetween(reading: ParseContext, place: FieldPlace, input: unknown): Filter {
  if (!Array.isArray(input) || input.length !== 2)
    throw invalidShape(reading, "$between", place.path, "a list of two values");
  const [from, to] = (input as readonly unknown[]).map((item) => coerce(reading, place, "$between", item));
  return { op: "and", items: [compare(reading, place, "$gte", from), compare(reading, place, "$lte", to)] };
}

/** @throws PLINTH_QUERY_INVALID_VALUE, PLINTH_QUERY_INVALID_FORMAT, PLINTH_QUERY_INVALID_KEY (400) */
function coerce(reading: ParseContext, { field, path }: FieldPlace, operator: string, input: unknown): unknown {
  const [firstKey] = isObject(input) && field.kind !== "json" ? Object.keys(input) : [];
  if (firstKey !== undefined) throw invalidKey(reading, firstKey, keyPath(field, path));
  if (input === null || input === undefined)
    throw invalidShape(reading, operator, path, "a value; $null asks for fields without one");
  const parsed = parseValue(field, input, { path, use: "filter" });
  if (!parsed.problems) return parsed.value;
  const problem = parsed.problems[0];
  if (problem?.isWholeRequest) throw new InvalidFormatError(unseen({ problem: problem.message }));
  throw new InvalidValueError({
    ...detailsOf(reading, operator, path),
    problem: problem?.message ?? `${path.join(".")} is invalid`,
  });
}

/**
 * Reads the value of `$null` or `$notNull`. An empty text is false.
 *
 * @throws PLINTH_QUERY_INVALID_SHAPE (400)
 * @source plugins/content-api/WIRE.md#filters
 */
export function parseIsNull(reading: ParseContext, key: "$null" | "$notNull", path: Path, input: unknown): boolean {
  const value = input === "" ? false : readBoolean(input);
  if (value === undefined) throw invalidShape(reading, key, path, "true or false");
  return value;
}

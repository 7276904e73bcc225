import type { Filter } from "../../database/reads/query.js";
import { type FilterOperator, SCALAR_TRAITS } from "../../schema/attribute.js";
import { findField } from "../../schema/find-field.js";
import type { ComponentAttribute, RelationAttribute } from "../../schema/model.js";
import { WrongOperatorError } from "./errors.js";
import { parseCondition, parseIsNull } from "./parse-condition.js";
import {
  detailsOf,
  invalidKey,
  invalidShape,
  isScalar,
  type Path,
  type ParseContext,
  type ReadShape,
} from "./parse-context.js";

/** An operator on a relation or component itself, seen from its targets or items. */
interface OperatorPlace {
  readonly holder: RelationAttribute | ComponentAttribute;
  /** The shape of the targets or items. */
  readonly shape: ReadShape;
  readonly path: Path;
  readonly depth: number;
  readonly key: string;
}

const RELATION_OPERATORS: readonly FilterOperator[] = ["$eq", "$ne", "$in", "$notIn", "$null", "$notNull"];
const COMPONENT_OPERATORS: readonly FilterOperator[] = ["$null", "$notNull"];
const ALL_OPERATORS: ReadonlySet<string> = new Set(SCALAR_TRAITS.string.operators);

/** Row ids are digits; a document id of digits only would have to be longer than any row id. */
const ROW_ID = /^\d{1,15}$/;

/**
 * Turns an operator on a relation into a condition on its targets: `{ author: "12" }` compares their row id,
 * `{ author: "a1b2..." }` their document id, and `$null` asks for a target without id, which is no target at all.
 *
 * @throws PLINTH_QUERY_WRONG_OPERATOR, PLINTH_QUERY_INVALID_KEY, PLINTH_QUERY_INVALID_SHAPE (400)
 * @source plugins/content-api/WIRE.md#filters-through-relations
 * @source plugins/content-api/WIRE.md#filters, an operator on the wrong kind
 */
export function parseTargetOperator(reading: ParseContext, place: OperatorPlace, input: unknown): Filter {
  const { holder, path, key } = place;
  if (key === "$not") return { op: "not", item: parseTargetOperator(reading, { ...place, key: "$eq" }, input) };
  if (!ALL_OPERATORS.has(key)) throw invalidKey(reading, key, path);
  const operators = holder.kind === "component" ? COMPONENT_OPERATORS : RELATION_OPERATORS;
  const operator = operators.find((known) => known === key);
  if (!operator) throw new WrongOperatorError({ ...detailsOf(reading, key, path), kind: holder.kind, operators });
  if (operator === "$null" || operator === "$notNull") {
    return { op: "null", field: "id", isNull: parseIsNull(reading, operator, path, input) === (operator === "$null") };
  }
  if (input === null) return { op: "null", field: "id", isNull: operator === "$eq" };
  return compareTargets(reading, place, operator, input);
}

function compareTargets(reading: ParseContext, place: OperatorPlace, operator: FilterOperator, input: unknown): Filter {
  if (!Array.isArray(input))
    return compareBy(reading, place, isRowId(input) ? "id" : "documentId", { [operator]: input });
  if (operator === "$ne") throw invalidShape(reading, operator, place.path, "one row id or document id");
  const list: readonly unknown[] = input;
  const isNegative = operator === "$notIn";
  const name = isNegative ? "$notIn" : "$in";
  const rowIds = compareBy(reading, place, "id", { [name]: list.filter(isRowId) });
  const documentIds = compareBy(reading, place, "documentId", { [name]: list.filter((item) => !isRowId(item)) });
  return { op: isNegative ? "and" : "or", items: [rowIds, documentIds] };
}

function compareBy(
  reading: ParseContext,
  { shape, path, depth }: OperatorPlace,
  name: "id" | "documentId",
  condition: object,
): Filter {
  const field = findField(shape, name);
  if (!field || !isScalar(field)) throw invalidKey(reading, name, path);
  return parseCondition(reading, { field, path, depth }, condition);
}

function isRowId(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && ROW_ID.test(value));
}

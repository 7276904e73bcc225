import type { Filter, Quantifier } from "../../database/reads/query.js";
import type { ComponentAttribute, RelationAttribute, ScalarAttribute } from "../../schema/model.js";
import { STATE_FIELD, STATE_SHAPE } from "../../schema/state-field.js";
import { ListOperatorError } from "./errors.js";
import { type FieldPlace, parseCondition, parseIsNull } from "./parse-condition.js";
import { parseTargetOperator } from "./parse-target-operator.js";
import {
  assertDepth,
  canFindTarget,
  componentOf,
  detailsOf,
  invalidForm,
  invalidKey,
  invalidShape,
  isObject,
  isScalar,
  isToMany,
  lookUp,
  type Path,
  type ParseContext,
  type ReadShape,
  type VisibleType,
  targetOf,
} from "./parse-context.js";

/** Where a group of conditions stands. */
interface GroupPlace {
  readonly shape: ReadShape;
  /** Names of relations and components that lead here; operators and list positions do not count. */
  readonly path: Path;
  readonly depth: number;
  /** Whose targets or items the group is about; the operators of the relation itself are allowed here then. */
  readonly holder?: RelationAttribute | ComponentAttribute;
}

/**
 * Turns `filters` into a Filter, every name looked up and every value coerced to its attribute's kind.
 *
 * Several keys mean all of them; a value without operator means `$eq`, a list `$in`; a relation takes row ids and
 * document ids in place of nested fields.
 *
 * @param input - such as `{ title: { $contains: "a" }, $or: [{ author: { name: "Ada" } }, { views: "3" }] }`
 * @returns undefined when there is no condition.
 * @throws PLINTH_QUERY_INVALID_KEY, _WRONG_OPERATOR, _INVALID_VALUE, _INVALID_FORMAT, _INVALID_SHAPE, _TOO_DEEP (400)
 * @source plugins/content-api/WIRE.md#filters
 * @source plugins/content-api/WIRE.md#filters-through-relations
 */
export function parseFilters(reading: ParseContext, shape: ReadShape, input: unknown): Filter | undefined {
  if (input === undefined || input === null) return undefined;
  if (typeof input !== "object") throw invalidForm("filters");
  const items = conditionsOf(reading, { shape, path: [], depth: 0 }, input);
  return items.length === 0 ? undefined : allOf(items);
}

/** Conditions that all have to hold: an object, or a list of such groups. Each counts, so that empty ones are not free. */
function parseGroup(reading: ParseContext, place: GroupPlace, key: string, input: unknown): Filter {
  reading.meter.count("conditions", reading.param);
  if (Array.isArray(input)) {
    assertDepth(reading, place.depth);
    const inner = { ...place, depth: place.depth + 1 };
    return allOf((input as readonly unknown[]).map((item) => parseGroup(reading, inner, key, item)));
  }
  if (!isObject(input)) throw invalidShape(reading, key, place.path, "an object of conditions");
  return allOf(conditionsOf(reading, place, input));
}

/** One filter per key. Lists come here too: their positions are names that no content-type has. */
function conditionsOf(reading: ParseContext, place: GroupPlace, input: object): readonly Filter[] {
  assertDepth(reading, place.depth);
  return Object.entries(input).map(([key, value]: [string, unknown]) => {
    const inner = { ...place, depth: place.depth + 1 };
    if (key === "$and" || key === "$or") return parseList(reading, inner, key, value);
    if (key === "$not" && !(place.holder && isTarget(value)))
      return { op: "not", item: parseGroup(reading, inner, key, value) };
    if (QUANTIFIERS.has(key) && place.holder)
      throw new ListOperatorError({ ...detailsOf(reading, key, place.path), problem: IN_GROUP });
    if (key.startsWith("$") && place.holder)
      return parseTargetOperator(reading, { ...place, holder: place.holder, key }, value);
    return parseField(reading, inner, key, value);
  });
}

/** Whether a value names targets of a relation, and is not a group of conditions on them. */
const isTarget = (value: unknown): boolean => !isObject(Array.isArray(value) ? value[0] : value);

function parseList(reading: ParseContext, place: GroupPlace, key: "$and" | "$or", input: unknown): Filter {
  if (!Array.isArray(input)) throw invalidShape(reading, key, place.path, "a list of objects of conditions");
  const items = (input as readonly unknown[]).map((item) => parseGroup(reading, place, key, item));
  if (items.length === 0) return { op: "constant", value: key === "$and" };
  return items.length === 1 && items[0] ? items[0] : { op: key === "$and" ? "and" : "or", items };
}

function parseField(reading: ParseContext, place: GroupPlace, name: string, input: unknown): Filter {
  if (name === STATE_FIELD && reading.withState && place.path.length === 0) return parseState(reading, place, input);
  const field = lookUp(reading, place.shape, name, place.path);
  const path = [...place.path, name];
  if (isScalar(field)) return parseCondition(reading, { field, path, depth: place.depth }, input);
  if (field.kind === "dynamiczone") throw invalidKey(reading, name, path);
  if (field.kind === "component")
    return parseHolder(reading, { field, path, depth: place.depth, inner: itemOf(reading, field) }, input);
  if (field.target === undefined || !canFindTarget(reading, field)) throw invalidKey(reading, name, path);
  return parseHolder(reading, { field, path, depth: place.depth, inner: targetOf(reading, field) }, input);
}

/** The state of the document that the list shows, where it has one; @see STATES */
function parseState(reading: ParseContext, { shape, depth }: GroupPlace, input: unknown): Filter {
  const type = reading.model.contentTypes.get(shape.uid);
  const tested = type && reading.visibleTypeOf(type).tested;
  const field = lookUp(reading, STATE_SHAPE, STATE_FIELD, []);
  const where = parseCondition(reading, { field: field as ScalarAttribute, path: [STATE_FIELD], depth }, input);
  return { op: "state", where, ...(tested ? { visible: tested } : {}) };
}

/** Items of components are visible with the entry that holds them. */
function itemOf(reading: ParseContext, { component }: ComponentAttribute): VisibleHolder | undefined {
  const shape = componentOf(reading, component);
  return shape && { shape, visible: undefined, tested: undefined };
}

type VisibleHolder = Omit<VisibleType, "shape"> & { readonly shape: ReadShape };

interface HolderPlace extends FieldPlace<RelationAttribute | ComponentAttribute> {
  /** What the caller sees of the targets or items; undefined where they are of no one shape. */
  readonly inner: VisibleHolder | undefined;
}

/** A relation, media or component: empty or not, and what its targets or items fulfil. */
function parseHolder(reading: ParseContext, place: HolderPlace, input: unknown): Filter {
  const { field, path, depth, inner } = place;
  reading.meter.count("conditions", reading.param);
  const holder = { field: field.name, ...(inner?.tested ? { visible: inner.tested } : {}) };
  if (input === null) return { op: "null", ...holder, isNull: true };
  const { $null, $notNull, ...others } = isObject(input) ? input : { [Array.isArray(input) ? "$in" : "$eq"]: input };
  const items: Filter[] = [];
  if ($null !== undefined) items.push({ op: "null", ...holder, isNull: parseIsNull(reading, "$null", path, $null) });
  if ($notNull !== undefined)
    items.push({ op: "null", ...holder, isNull: !parseIsNull(reading, "$notNull", path, $notNull) });
  const named = Object.entries(others);
  for (const [key, value] of named) {
    const quantifier = QUANTIFIERS.get(key);
    if (quantifier) items.push(parseEntries(reading, place, [key, quantifier], value));
  }
  const rest = Object.fromEntries(named.filter(([key]) => !QUANTIFIERS.has(key)));
  const [firstKey] = Object.keys(rest);
  if (firstKey !== undefined) {
    if (!inner) throw invalidKey(reading, firstKey, path);
    const where = allOf(conditionsOf(reading, { shape: inner.shape, path, depth, holder: field }, rest));
    items.push({ op: "related", ...holder, where });
  }
  return allOf(items);
}

/** Operators on a list, which say how many of its entries have to fulfil what is below them. */
const QUANTIFIERS: ReadonlyMap<string, Quantifier> = new Map([
  ["$some", "some"],
  ["$none", "none"],
  ["$every", "every"],
]);

const NO_LIST =
  "it is about the entries of a list: a relation to many, several files, localizations or a repeatable component";
const IN_GROUP = "it stands directly below the list; write groups around the list";

/**
 * The condition of `$some`, `$none` or `$every`: `{ tags: { $none: { name: "a" } } }`, `{ tags: { $none: ["x1", "x2"] } }`.
 *
 * @throws PLINTH_QUERY_LIST_OPERATOR, PLINTH_QUERY_INVALID_KEY, PLINTH_QUERY_INVALID_SHAPE (400)
 * @source plugins/content-api/WIRE.md#not-and-some-none-and-every
 */
function parseEntries(
  reading: ParseContext,
  place: HolderPlace,
  [key, quantifier]: readonly [string, Quantifier],
  input: unknown,
): Filter {
  const { field, path, depth, inner } = place;
  if (!isList(field)) throw new ListOperatorError({ ...detailsOf(reading, key, path), problem: NO_LIST });
  if (!inner) throw invalidKey(reading, key, path);
  const takesIds = field.kind !== "component";
  if (input === null || (isTarget(input) && !takesIds))
    throw invalidShape(reading, key, path, `an object of conditions${takesIds ? ", an id or a list of ids" : ""}`);
  const conditions = isTarget(input) ? { [Array.isArray(input) ? "$in" : "$eq"]: input } : input;
  const where = parseGroup(reading, { shape: inner.shape, path, depth: depth + 1, holder: field }, key, conditions);
  const visible = inner.visible ? { visible: inner.visible } : {};
  return { op: "entries", field: field.name, quantifier, where, ...visible };
}

const isList = (field: RelationAttribute | ComponentAttribute): boolean =>
  field.kind === "component" ? field.repeatable : isToMany(field);

function allOf(items: readonly Filter[]): Filter {
  if (items.length === 0) return { op: "constant", value: true };
  return items.length === 1 && items[0] ? items[0] : { op: "and", items };
}

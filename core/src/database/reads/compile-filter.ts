import type { Filter, CompareOperator, Slot } from "./query.js";
import { findStored } from "../../schema/find-field.js";
import type { Attribute, ComponentAttribute, RelationAttribute, Shape } from "../../schema/model.js";
import { STATE_FIELD, STATE_SHAPE } from "../../schema/state-field.js";
import { UncompilableError } from "../errors.js";
import { allOf, anyOf, caseInsensitiveSql, identifier, newAlias, parameter } from "../sql/sql.js";
import { compileState } from "./compile-state.js";
import { type Compilation, hasTarget, joinRelation, jsonList, type Purpose, type Scope } from "./relation-join.js";
import { attributeOf, componentRow, fieldTraits } from "./row-source.js";

/**
 * Turns a filter into an SQL condition on the current row.
 *
 * A condition through a relation is about some related document, also below a negation: `not` is pushed down to
 * the comparisons, so `{ $not: { categories: { slug: "x" } } }` asks for a category whose slug is not x. A row
 * without related documents counts as one related document whose fields are all null.
 *
 * @source plugins/content-api/WIRE.md#filters-through-relations
 */
export function compileFilter(compilation: Compilation, scope: Scope, filter: Filter, isNegated = false): string {
  switch (filter.op) {
    case "and":
    case "or": {
      const parts = filter.items.map((item) => compileFilter(compilation, scope, item, isNegated));
      return (filter.op === "and") === isNegated ? anyOf(parts) : allOf(parts);
    }
    case "not":
      return compileFilter(compilation, scope, filter.item, !isNegated);
    case "constant":
      return String(filter.value !== isNegated);
    case "compare":
      return negatedIf(isNegated, compileComparison(scope, filter));
    case "null":
      return compileNull(compilation, scope, filter, filter.isNull !== isNegated);
    case "related":
      return compileRelated(compilation, scope, filter, isNegated);
    case "entries":
      return compileEntries(compilation, scope, filter, isNegated);
    case "state":
      return compileFilter(compilation, insideState(compilation, scope, filter.visible), filter.where, isNegated);
  }
}

const negatedIf = (isNegated: boolean, condition: string) => (isNegated ? `not (${condition})` : condition);

type Comparison = (value: string, parameter: string) => string;

/** Text matches are by position, not by pattern: no character of a value is special. */
const COMPARISONS: Record<Exclude<CompareOperator, "$in" | "$notIn">, Comparison> = {
  $eq: (v, p) => `${v} = ${p}`,
  $ne: (v, p) => `${v} <> ${p}`,
  $eqi: (v, p) => `${caseInsensitiveSql(v)} = ${caseInsensitiveSql(p)}`,
  $nei: (v, p) => `${caseInsensitiveSql(v)} <> ${caseInsensitiveSql(p)}`,
  $lt: (v, p) => `${v} < ${p}`,
  $lte: (v, p) => `${v} <= ${p}`,
  $gt: (v, p) => `${v} > ${p}`,
  $gte: (v, p) => `${v} >= ${p}`,
  $contains: (v, p) => `strpos(${v}, ${p}) > 0`,
  $notContains: (v, p) => `strpos(${v}, ${p}) = 0`,
  $containsi: (v, p) => `strpos(${caseInsensitiveSql(v)}, ${caseInsensitiveSql(p)}) > 0`,
  $notContainsi: (v, p) => `strpos(${caseInsensitiveSql(v)}, ${caseInsensitiveSql(p)}) = 0`,
  $startsWith: (v, p) => `starts_with(${v}, ${p})`,
  $startsWithi: (v, p) => `starts_with(${caseInsensitiveSql(v)}, ${caseInsensitiveSql(p)})`,
  $endsWith: (v, p) => `right(${v}, length(${p})) = ${p}`,
  $endsWithi: (v, p) => `right(${caseInsensitiveSql(v)}, length(${caseInsensitiveSql(p)})) = ${caseInsensitiveSql(p)}`,
};

function compileComparison(
  scope: Scope,
  { field, operator, value }: { field: string; operator: CompareOperator; value: Slot },
): string {
  const { cast } = fieldTraits(scope.row.shape, field);
  const expression = scope.row.value(field);
  if (operator === "$in") return `${expression} = any(${parameter(value, `${cast}[]`)})`;
  if (operator === "$notIn") return `${expression} <> all(${parameter(value, `${cast}[]`)})`;
  return COMPARISONS[operator](expression, parameter(value, cast));
}

function compileNull(
  compilation: Compilation,
  scope: Scope,
  { field, visible }: Filter & { op: "null" },
  isNull: boolean,
): string {
  const attribute = findStored(scope.row.shape, field);
  if (!attribute || !isHolder(attribute)) return `${scope.row.value(field)} is ${isNull ? "null" : "not null"}`;
  const isVisible = (target: Scope) => compileVisible(compilation, target, visible);
  const some = compileSome(compilation, scope, attribute, { where: isVisible, isVisible });
  return isNull ? `not ${some}` : some;
}

function compileRelated(
  compilation: Compilation,
  scope: Scope,
  filter: Filter & { op: "related" },
  isNegated: boolean,
): string {
  const attribute = holderOf(scope, filter.field);
  if (attribute.kind === "component" && !attribute.repeatable)
    return compileFilter(
      compilation,
      insideComponent(compilation, scope, attribute, scope.row.stored(attribute.name)),
      filter.where,
      isNegated,
    );
  const isVisible = (target: Scope) => compileVisible(compilation, target, filter.visible);
  const where = (target: Scope) => compileFilter(compilation, target, filter.where, isNegated);
  const some = compileSome(compilation, scope, attribute, visibleTest(isVisible, where));
  if (!matchesNullRow(filter.where, isNegated)) return some;
  return anyOf([some, `not ${compileSome(compilation, scope, attribute, { where: isVisible, isVisible })}`]);
}

/**
 * It is about the entries that are shown, so that `every` holds where all that can be seen fulfil the condition. A comparison
 * with a null is neither true nor false: an entry with one is not among those that fulfil the condition.
 */
function compileEntries(
  compilation: Compilation,
  scope: Scope,
  { field, quantifier, where, visible }: Filter & { op: "entries" },
  isNegated: boolean,
): string {
  const isVisible = (target: Scope) => compileVisible(compilation, target, visible);
  const isWanted = (target: Scope) => {
    const condition = compileFilter(compilation, target, where);
    return quantifier === "every" ? `(${condition}) is not true` : condition;
  };
  const test = { ...visibleTest(isVisible, isWanted), purpose: "show" as const };
  const some = compileSome(compilation, scope, holderOf(scope, field), test);
  return (quantifier === "some") === isNegated ? `not ${some}` : some;
}

/** The condition for a row to be visible to the caller. A negated filter does not negate it. */
export function compileVisible(compilation: Compilation, scope: Scope, visible: Filter | undefined): string {
  return visible ? compileFilter(compilation, scope, visible) : "true";
}

type Holder = RelationAttribute | ComponentAttribute;

const isHolder = (attribute: Attribute): attribute is Holder =>
  attribute.kind === "relation" || attribute.kind === "media" || attribute.kind === "component";

/** A relation, media or component of the row. @throws PLINTH_QUERY_UNCOMPILABLE */
function holderOf({ row: { shape } }: Scope, field: string): Holder {
  const attribute = attributeOf(shape, field);
  if (isHolder(attribute)) return attribute;
  throw new UncompilableError({ uid: shape.uid, field });
}

/** The condition on a related row, and the one for it to be visible to the caller. */
interface RelationTest {
  /** Default: for a test. */
  readonly purpose?: Purpose;
  readonly where: (target: Scope) => string;
  readonly isVisible: (target: Scope) => string;
}

/** The test for a row that is visible and fulfils a condition. */
const visibleTest = (isVisible: RelationTest["isVisible"], condition: RelationTest["where"]): RelationTest => ({
  isVisible,
  where: (target) => allOf([isVisible(target), condition(target)].filter((part) => part !== "true")),
});

function compileSome(
  compilation: Compilation,
  scope: Scope,
  attribute: Holder,
  { purpose = "test", where, isVisible }: RelationTest,
): string {
  if (attribute.kind === "component") return compileSomeItem(compilation, scope, attribute, where);
  if (attribute.isPolymorphic && attribute.target === undefined) return polymorphicExists(scope, attribute);
  if (!hasTarget(compilation, attribute)) return "false";
  const join = joinRelation(compilation, scope, attribute, { purpose, isVisible });
  const conditions = [join.where, where(join.target)].filter((condition) => condition !== "true");
  return `exists (select from ${join.from} where ${allOf(conditions)})`;
}

function compileSomeItem(
  compilation: Compilation,
  scope: Scope,
  attribute: ComponentAttribute,
  where: (item: Scope) => string,
): string {
  const stored = scope.row.stored(attribute.name);
  if (!attribute.repeatable)
    return allOf([isObject(stored), where(insideComponent(compilation, scope, attribute, stored))]);
  const alias = newAlias();
  const item = insideComponent(compilation, scope, attribute, `${alias}.item`);
  return `exists (select from jsonb_array_elements(${jsonList(stored)}) ${alias}(item) where ${where(item)})`;
}

/** Never null, so that its negation holds for a component that is not there. */
const isObject = (stored: string): string => `(jsonb_typeof(${stored}) = 'object') is true`;

function polymorphicExists(scope: Scope, attribute: RelationAttribute): string {
  if (attribute.storage !== "column") throw new UncompilableError({ uid: scope.row.shape.uid, field: attribute.name });
  return `(${scope.row.alias}.${identifier(attribute.column ?? "")} is not null)`;
}

/** The scope of a component: its own attributes, everything else of the row that holds it. */
export function insideComponent(
  compilation: Compilation,
  scope: Scope,
  attribute: { component: string },
  object: string,
): Scope {
  return { ...scope, row: componentRow(componentOf(compilation, scope.row.shape, attribute.component), object) };
}

/** The state of the document as the only value of a component. */
function insideState(compilation: Compilation, scope: Scope, visible: Filter | undefined): Scope {
  const state = compileState(compilation, scope, (other) => compileVisible(compilation, other, visible));
  return { ...scope, row: componentRow(STATE_SHAPE, `jsonb_build_object('${STATE_FIELD}', ${state})`) };
}

/** A component of the model by uid. @throws PLINTH_QUERY_UNCOMPILABLE */
function componentOf(compilation: Compilation, shape: Shape, uid: string) {
  const component = compilation.layout.model.components.get(uid);
  if (!component) throw new UncompilableError({ uid: shape.uid, field: uid });
  return component;
}

/**
 * Whether a filter holds for a related document that does not exist: every field null, every relation empty.
 * Comparisons with null are neither true nor false, so neither they nor their negations hold.
 *
 * @source plugins/content-api/WIRE.md#filters-through-relations, `filters[author][id][$null]=true` finds rows without
 *   an author
 */
function matchesNullRow(filter: Filter, isNegated: boolean): boolean {
  switch (filter.op) {
    case "and":
    case "or": {
      const holds = (item: Filter) => matchesNullRow(item, isNegated);
      return (filter.op === "and") === isNegated ? filter.items.some(holds) : filter.items.every(holds);
    }
    case "not":
      return matchesNullRow(filter.item, !isNegated);
    case "constant":
      return filter.value !== isNegated;
    case "compare":
    case "state":
      return false;
    case "null":
      return filter.isNull !== isNegated;
    case "related":
      return matchesNullRow(filter.where, isNegated);
    case "entries":
      return (filter.quantifier === "some") === isNegated;
  }
}

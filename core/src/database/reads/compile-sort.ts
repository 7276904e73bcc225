import type {
  Attribute,
  ComponentAttribute,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
} from "../../schema/model.js";
import { isScalarKind, SCALAR_TRAITS, type ScalarTraits } from "../../schema/attribute.js";
import { UncompilableError } from "../errors.js";
import type { Sort } from "./query.js";
import { hasOrderedIndex } from "../layout/index-spec.js";
import { compileVisible, insideComponent } from "./compile-filter.js";
import { type Compilation, hasTarget, joinRelation, jsonList, type Scope } from "./relation-join.js";
import { attributeOf, fieldTraits } from "./row-source.js";
import { allOf, newAlias } from "../sql/sql.js";

/** One key of an order. */
export interface OrderKey {
  /** SQL of its value. */
  readonly value: string;
  readonly traits: ScalarTraits;
  readonly direction: Sort["direction"];
  readonly isNullable: boolean;
}

/**
 * The keys by which rows are ordered, each of its own: a key that leads through several rows takes the smallest value
 * ascending and the greatest descending, so each row comes once. Ties are broken by row id in the direction of the last
 * key, which an index on (key, id) can follow; without keys: by row id.
 *
 * @source plugins/content-api/WIRE.md#sorting
 * @source core/src/database/reads/README.md#rules-that-are-not-obvious
 */
export function orderKeys(compilation: Compilation, scope: Scope, sort: readonly Sort[]): readonly OrderKey[] {
  const keys = sort.map((key): OrderKey => {
    const { direction } = key;
    return { ...sortValue(compilation, scope, { ...key, step: 0 }), direction, isNullable: !isRowId(key) };
  });
  if (scope.row.alias === undefined || sort.some(isRowId)) return keys;
  const direction = sort.at(-1)?.direction ?? "asc";
  return [...keys, { value: `${scope.row.alias}.id`, traits: SCALAR_TRAITS.id, direction, isNullable: false }];
}

const isRowId = ({ path }: Sort): boolean => path.length === 1 && path[0] === "id";

/** The list after `order by` for the current row, nulls where PostgreSQL puts them. */
export function compileOrder(compilation: Compilation, scope: Scope, sort: readonly Sort[]): string {
  return listKeys(orderKeys(compilation, scope, sort));
}

/** The reverse order. */
export function compileReverse(compilation: Compilation, scope: Scope, sort: readonly Sort[]): string {
  const keys = orderKeys(compilation, scope, sort);
  return listKeys(keys.map((key) => ({ ...key, direction: key.direction === "asc" ? "desc" : "asc" })));
}

const listKeys = (keys: readonly OrderKey[]): string =>
  keys.map(({ value, direction }) => `${value} ${direction}`).join(", ");

/**
 * Whether one index has the rows of every locale in this order: by one `index` attribute. Row ids have one too, but
 * translations are usually younger than all originals: merged by id, every translated original would come by first.
 */
export function isIndexedOrder(type: ContentType, sort: readonly Sort[]): boolean {
  const [key, ...others] = sort;
  if (key?.path.length !== 1 || others.length > 0) return false;
  const attribute = type.attributes.get(key.path[0] ?? "");
  return attribute !== undefined && isScalar(attribute) && hasOrderedIndex(attribute);
}

const isScalar = (attribute: Attribute): attribute is ScalarAttribute => isScalarKind(attribute.kind);

/** A key of an order, and how far along its path we are. */
interface SortStep extends Sort {
  readonly step: number;
}

/** The value that a path leads to. */
type SortValue = Pick<OrderKey, "value" | "traits">;

function sortValue(compilation: Compilation, scope: Scope, at: SortStep): SortValue {
  const field = at.path[at.step] ?? "";
  if (at.step === at.path.length - 1)
    return { value: scope.row.value(field), traits: fieldTraits(scope.row.shape, field) };
  const attribute = attributeOf(scope.row.shape, field);
  if (attribute.kind === "component") return throughComponent(compilation, scope, attribute, at);
  if (attribute.kind === "relation" || attribute.kind === "media")
    return throughRelation(compilation, scope, attribute, at);
  throw new UncompilableError({ uid: scope.row.shape.uid, field });
}

const next = (at: SortStep): SortStep => ({ ...at, step: at.step + 1 });

function throughRelation(
  compilation: Compilation,
  scope: Scope,
  attribute: RelationAttribute,
  at: SortStep,
): SortValue {
  if (!hasTarget(compilation, attribute)) return { value: "null::text", traits: SCALAR_TRAITS.string };
  const isVisible = (target: Scope) => compileVisible(compilation, target, at.visible?.[at.step]);
  const join = joinRelation(compilation, scope, attribute, { purpose: "test", isVisible });
  const { value, traits } = sortValue(compilation, join.target, next(at));
  const pick = attribute.isMany ? ` order by 1 ${at.direction} nulls last limit 1` : "";
  const visible = isVisible(join.target);
  const where = visible === "true" ? join.where : allOf([join.where, visible]);
  return { value: `(select ${value} from ${join.from} where ${where}${pick})`, traits };
}

function throughComponent(
  compilation: Compilation,
  scope: Scope,
  attribute: ComponentAttribute,
  at: SortStep,
): SortValue {
  const stored = scope.row.stored(attribute.name);
  if (!attribute.repeatable)
    return sortValue(compilation, insideComponent(compilation, scope, attribute, stored), next(at));
  const alias = newAlias();
  const item = insideComponent(compilation, scope, attribute, `${alias}.item`);
  const { value, traits } = sortValue(compilation, item, next(at));
  const items = `jsonb_array_elements(${jsonList(stored)}) ${alias}(item)`;
  return { value: `(select ${value} from ${items} order by 1 ${at.direction} nulls last limit 1)`, traits };
}

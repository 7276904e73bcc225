import type {
  Attribute,
  ComponentAttribute,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
} from "../../schema/model.js";
import { isScalarKind } from "../../schema/attribute.js";
import { UncompilableError } from "../errors.js";
import type { Sort, Status } from "../query.js";
import { hasOrderedIndex } from "../sync/index-spec.js";
import { compileVisible, insideComponent } from "./compile-filter.js";
import { type Compilation, hasTarget, joinRelation, jsonList, type Scope } from "./relation-join.js";
import { attributeOf } from "./row-source.js";
import { allOf } from "./sql.js";

/**
 * The list after `order by` for the row at hand, nulls where PostgreSQL puts them. A key that leads through several
 * rows takes the smallest value ascending and the greatest descending, so each row comes once. Ties are broken by
 * row id in the direction of the last key, which an index on (key, id) can follow; without keys: by row id.
 *
 * @source wire.md sections 0 and 4; architecture.md section 9, "Page indexes"
 */
export function compileOrder(compilation: Compilation, scope: Scope, sort: readonly Sort[]): string {
  const keys = sort.map((key) => `${sortValue(compilation, scope, { ...key, step: 0 })} ${key.direction}`);
  const last = sort.at(-1);
  if (scope.row.alias !== undefined && !sort.some(({ path }) => path.length === 1 && path[0] === "id"))
    keys.push(`${scope.row.alias}.id ${last?.direction ?? "asc"}`);
  return keys.join(", ");
}

/**
 * Whether one index has the published rows of every locale in this order: by one `index` attribute. Row ids have one too,
 * but translations are usually younger than all originals: merged by id, every translated original would come by first.
 */
export function isIndexedOrder(type: ContentType, status: Status, sort: readonly Sort[]): boolean {
  const [key, ...others] = sort;
  if ((type.hasDrafts && status === "draft") || key?.path.length !== 1 || others.length > 0) return false;
  const attribute = type.attributes.get(key.path[0] ?? "");
  return attribute !== undefined && isScalar(attribute) && hasOrderedIndex(attribute);
}

const isScalar = (attribute: Attribute): attribute is ScalarAttribute => isScalarKind(attribute.kind);

/** A key of an order, and how far along its path we are. */
interface SortStep extends Sort {
  readonly step: number;
}

function sortValue(compilation: Compilation, scope: Scope, at: SortStep): string {
  const field = at.path[at.step] ?? "";
  if (at.step === at.path.length - 1) return scope.row.value(field);
  const attribute = attributeOf(scope.row.shape, field);
  if (attribute.kind === "component") return throughComponent(compilation, scope, attribute, at);
  if (attribute.kind === "relation" || attribute.kind === "media")
    return throughRelation(compilation, scope, attribute, at);
  throw new UncompilableError({ uid: scope.row.shape.uid, field });
}

const next = (at: SortStep): SortStep => ({ ...at, step: at.step + 1 });

function throughRelation(compilation: Compilation, scope: Scope, attribute: RelationAttribute, at: SortStep): string {
  if (!hasTarget(compilation, attribute)) return "null::text";
  const isVisible = (target: Scope) => compileVisible(compilation, target, at.visible?.[at.step]);
  const join = joinRelation(compilation, scope, attribute, { purpose: "test", isVisible });
  const value = sortValue(compilation, join.target, next(at));
  const pick = attribute.isMany ? ` order by 1 ${at.direction} nulls last limit 1` : "";
  const visible = isVisible(join.target);
  const where = visible === "true" ? join.where : allOf([join.where, visible]);
  return `(select ${value} from ${join.from} where ${where}${pick})`;
}

function throughComponent(compilation: Compilation, scope: Scope, attribute: ComponentAttribute, at: SortStep): string {
  const stored = scope.row.stored(attribute.name);
  if (!attribute.repeatable)
    return sortValue(compilation, insideComponent(compilation, scope, attribute, stored), next(at));
  const alias = compilation.writer.alias();
  const value = sortValue(compilation, insideComponent(compilation, scope, attribute, `${alias}.item`), next(at));
  return `(select ${value} from jsonb_array_elements(${jsonList(stored)}) ${alias}(item) order by 1 ${at.direction} nulls last limit 1)`;
}

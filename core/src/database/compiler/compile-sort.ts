import type { ComponentAttribute, RelationAttribute } from "../../schema/model.js";
import { UncompilableError } from "../errors.js";
import type { Sort } from "../query.js";
import { insideComponent } from "./compile-filter.js";
import { type Compilation, hasTarget, joinRelation, jsonList, type Scope } from "./relation-join.js";
import { attributeOf } from "./row-source.js";

/**
 * The list after `order by` for the row at hand, nulls where PostgreSQL puts them. A key that leads through several
 * rows takes the smallest value ascending and the greatest descending, so each row comes once. Ties are broken by
 * row id in the direction of the last key, which an index on (key, id) can follow; without keys: by row id.
 *
 * @source wire.md sections 0 and 4; architecture.md section 9, "Page indexes"
 */
export function compileOrder(compilation: Compilation, scope: Scope, sort: readonly Sort[]): string {
  const keys = sort.map(({ path, direction }) => `${sortValue(compilation, scope, path, direction)} ${direction}`);
  const last = sort.at(-1);
  if (scope.row.alias !== undefined && !sort.some(({ path }) => path.length === 1 && path[0] === "id"))
    keys.push(`${scope.row.alias}.id ${last?.direction ?? "asc"}`);
  return keys.join(", ");
}

function sortValue(compilation: Compilation, scope: Scope, path: readonly string[], direction: "asc" | "desc"): string {
  const [field = "", ...rest] = path;
  if (rest.length === 0) return scope.row.value(field);
  const attribute = attributeOf(scope.row.shape, field);
  if (attribute.kind === "component") return throughComponent(compilation, scope, attribute, { rest, direction });
  if (attribute.kind === "relation" || attribute.kind === "media")
    return throughRelation(compilation, scope, attribute, { rest, direction });
  throw new UncompilableError({ uid: scope.row.shape.uid, field });
}

interface Rest {
  readonly rest: readonly string[];
  readonly direction: "asc" | "desc";
}

function throughRelation(
  compilation: Compilation,
  scope: Scope,
  attribute: RelationAttribute,
  { rest, direction }: Rest,
): string {
  if (!hasTarget(compilation, attribute)) return "null::text";
  const join = joinRelation(compilation, scope, attribute, "test");
  const value = sortValue(compilation, join.target, rest, direction);
  const pick = attribute.isMany ? ` order by 1 ${direction} nulls last limit 1` : "";
  return `(select ${value} from ${join.from} where ${join.where}${pick})`;
}

function throughComponent(
  compilation: Compilation,
  scope: Scope,
  attribute: ComponentAttribute,
  { rest, direction }: Rest,
): string {
  const stored = scope.row.stored(attribute.name);
  if (!attribute.repeatable)
    return sortValue(compilation, insideComponent(compilation, scope, attribute, stored), rest, direction);
  const alias = compilation.writer.alias();
  const value = sortValue(
    compilation,
    insideComponent(compilation, scope, attribute, `${alias}.item`),
    rest,
    direction,
  );
  return `(select ${value} from jsonb_array_elements(${jsonList(stored)}) ${alias}(item) order by 1 ${direction} nulls last limit 1)`;
}

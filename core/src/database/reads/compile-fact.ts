import type { FactOutput } from "./query.js";
import { compileVisible } from "./compile-filter.js";
import { compileState, type IsVisible, stateOf, versionsOf } from "./compile-state.js";
import type { Compilation, Scope } from "./relation-join.js";
import { newAlias } from "../sql/sql.js";

/**
 * SQL of what is known of a row's document beside its values. A page of a hundred rows looks a hundred documents up, however
 * large the table is.
 */
export function compileFact(compilation: Compilation, scope: Scope, { fact, visible }: FactOutput): string {
  const { type, alias } = scope.holder;
  const isVisible: IsVisible = (other) => compileVisible(compilation, other, visible);
  if (fact === "state") return compileState(compilation, scope, isVisible);
  if (!type.isLocalized) return "'[]'::json";
  const row = newAlias();
  const versions = versionsOf(compilation, type, { row, alias }, isVisible);
  const states = `select ${row}.locale, ${stateOf(type, row)} as state ${versions} group by ${row}.locale`;
  return `(select coalesce(json_agg(row_to_json(l) order by l.locale), '[]'::json) from (${states}) l)`;
}

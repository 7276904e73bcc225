import type { ContentType } from "../../schema/model.js";
import type { FactOutput } from "./query.js";
import { compileVisible } from "./compile-filter.js";
import { type Compilation, type Scope, tableScope } from "./relation-join.js";
import { newAlias, readTable } from "../sql/sql.js";

/**
 * SQL of what is known of a row's document beside its values: from the few rows of that document, by the index on
 * document ids. A page of a hundred rows looks a hundred documents up, however large the table is.
 */
export function compileFact(
  compilation: Compilation,
  { holder: { type, alias } }: Scope,
  { fact, visible }: FactOutput,
): string {
  if (fact === "state" && !type.hasDrafts) return "'published'::text";
  if (fact === "locales" && !type.isLocalized) return "'[]'::json";
  const row = newAlias();
  const rule = compileVisible(compilation, tableScope(compilation, type, row, undefined), visible);
  const isSeen = rule === "true" ? "" : ` and ${rule}`;
  const versions = `from ${readTable(type.table)} ${row} where ${row}.document_id = ${alias}.document_id`;
  const state = stateOf(type, row);
  if (fact === "state") return `(select ${state} ${versions} and ${row}.locale = ${alias}.locale${isSeen})`;
  const states = `select ${row}.locale, ${state} as state ${versions}${isSeen} group by ${row}.locale`;
  return `(select coalesce(json_agg(row_to_json(l) order by l.locale), '[]'::json) from (${states}) l)`;
}

/** The state of the versions of one locale. A published row without a draft has no change that is not published. */
function stateOf({ hasDrafts }: ContentType, row: string): string {
  if (!hasDrafts) return "'published'::text";
  const changed = (version: string) => `max(${row}.updated_at) filter (where ${row}.published_at is ${version})`;
  const isModified = `${changed("null")} > ${changed("not null")}`;
  return `case when max(${row}.published_at) is null then 'draft' when ${isModified} then 'modified' else 'published' end`;
}

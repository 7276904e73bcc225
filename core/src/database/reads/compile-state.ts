// SQL of the state of a document: draft, modified or published.
import type { ContentType } from "../../schema/model.js";
import { newAlias, readTable } from "../sql/sql.js";
import { type Compilation, type Scope, tableScope } from "./relation-join.js";

/** The condition for another version to be visible to the caller. */
export type IsVisible = (other: Scope) => string;

/**
 * SQL of the state of a row's document in the row's locale, from the few rows of that document, by the index on document ids.
 *
 * @param isVisible - of the versions of the document only those that are visible count
 */
export function compileState(
  compilation: Compilation,
  { holder: { type, alias } }: Scope,
  isVisible: IsVisible,
): string {
  if (!type.hasDrafts) return "'published'::text";
  const row = newAlias();
  const versions = versionsOf(compilation, type, { row, alias }, isVisible);
  return `(select ${stateOf(type, row)} ${versions} and ${row}.locale = ${alias}.locale)`;
}

/** `from articles t2 where t2.document_id = t1.document_id`: the versions of a document that are visible. */
export function versionsOf(
  compilation: Compilation,
  type: ContentType,
  { row, alias }: { readonly row: string; readonly alias: string },
  isVisible: IsVisible,
): string {
  const rule = isVisible(tableScope(compilation, type, row, undefined));
  const isSeen = rule === "true" ? "" : ` and ${rule}`;
  return `from ${readTable(type.table)} ${row} where ${row}.document_id = ${alias}.document_id${isSeen}`;
}

/** The state of the versions of one locale. A published row without a draft has no change that is not published. */
export function stateOf({ hasDrafts }: ContentType, row: string): string {
  if (!hasDrafts) return "'published'::text";
  const changed = (version: string) => `max(${row}.updated_at) filter (where ${row}.published_at is ${version})`;
  const isModified = `${changed("null")} > ${changed("not null")}`;
  return `case when max(${row}.published_at) is null then 'draft' when ${isModified} then 'modified' else 'published' end`;
}

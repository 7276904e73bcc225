import type { Query } from "./query.js";
import { compileFilter, compileVisible } from "./compile-filter.js";
import { compilePublication } from "./compile-publication.js";
import { compileSearch } from "./compile-search.js";
import { type Compilation, localeChain, type Scope, type VersionChoice, versionCondition } from "./relation-join.js";
import { allOf, parameter, readTable } from "../sql/sql.js";

/** SQL of the locales that rows are chosen from; undefined for all, and on types that are not localised. */
export function askedLocales(compilation: Compilation, { locale }: Query): VersionChoice["locales"] {
  if (locale === undefined || locale === "*") return undefined;
  return localeChain(compilation, parameter(locale, "text"));
}

/** `articles t1`: the table of the current rows. */
export const tableWithAlias = ({ holder: { type, alias } }: Scope): string => `${readTable(type.table)} ${alias}`;

/** The conditions for a row to be found. */
export function compileWhere(compilation: Compilation, scope: Scope, query: Query): string {
  return allOf(compileConditions(compilation, scope, query, { locales: askedLocales(compilation, query) }));
}

/** The same as a list, for rows of other locales than those asked for. */
export function compileConditions(
  compilation: Compilation,
  scope: Scope,
  query: Query,
  choice: Pick<VersionChoice, "locales">,
): readonly string[] {
  const { alias, type } = scope.holder;
  const conditions = [
    query.documentId === undefined ? "true" : `${alias}.document_id = ${parameter(query.documentId, "text")}`,
    versionOf(compilation, scope, query, choice),
    compileVisible(compilation, scope, query.visible),
    query.publication ? compilePublication(compilation, scope, query.publication, query.visible) : "true",
    query.search === undefined ? "true" : compileSearch(scope, type, { slot: query.search, names: query.searched }),
    query.filter ? compileFilter(compilation, scope, query.filter) : "true",
  ];
  return conditions.filter((condition) => condition !== "true");
}

/** The condition that picks one version of each document. */
export function versionOf(
  compilation: Compilation,
  { holder }: Scope,
  { status, visible }: Query,
  choice: Pick<VersionChoice, "locales" | "isRowByRow">,
): string {
  const isVisible = visible && ((other: Scope) => compileVisible(compilation, other, visible));
  return versionCondition(compilation, holder, { ...choice, status, isVisible });
}

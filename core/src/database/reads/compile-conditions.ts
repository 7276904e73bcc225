import { isScalarKind, traitsOf } from "../../schema/attribute.js";
import type { ContentType, ScalarAttribute } from "../../schema/model.js";
import { allOf, anyOf, caseInsensitiveSql, parameter, readTable } from "../sql/sql.js";
import { compileFilter, compileVisible } from "./compile-filter.js";
import type { Filter, PublicationFilter, Query, Slot } from "./query.js";
import {
  type Compilation,
  localeChain,
  type Scope,
  tableScope,
  type VersionChoice,
  versionCondition,
} from "./relation-join.js";

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

/** Phrases that are searched for in numbers. */
const NUMBER = "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)$";

/**
 * The condition of `_q`: the phrase as a whole, in any case, somewhere in a text attribute or the document id; of a
 * phrase that is a number, also somewhere in the digits of a number attribute. Private attributes and passwords are not
 * searched, so a search cannot reveal their values.
 *
 * @param names - the attributes to look into; undefined: all.
 * @source plugins/content-api/WIRE.md#search
 */
function compileSearch(
  scope: Scope,
  type: ContentType,
  { slot, names }: { readonly slot: Slot; readonly names: readonly string[] | undefined },
): string {
  const phrase = parameter(slot, "text");
  const contains = (value: string) => `strpos(${caseInsensitiveSql(value)}, ${caseInsensitiveSql(phrase)}) > 0`;
  const conditions = [contains(scope.row.value("documentId"))];
  const digits: string[] = [];
  for (const attribute of type.attributes.values()) {
    if (!isSearchable(attribute) || names?.includes(attribute.name) === false) continue;
    const value = scope.row.value(attribute.name);
    const { search } = traitsOf(attribute);
    if (search === "text") conditions.push(contains(value));
    if (search === "digits") digits.push(`strpos(${value}::text, ${phrase}) > 0`);
  }
  return anyOf(digits.length > 0 ? [...conditions, `(${phrase} ~ '${NUMBER}' and ${anyOf(digits)})`] : conditions);
}

function isSearchable(attribute: { readonly kind: string; readonly isPrivate: boolean }): attribute is ScalarAttribute {
  return isScalarKind(attribute.kind) && !attribute.isPrivate && (attribute as ScalarAttribute).searchable;
}

/**
 * The condition of a publication filter on a row of the status asked for. The plain forms compare the versions of one
 * locale, the `-document` forms those of the whole document.
 *
 * @param visible - the condition for other versions to count.
 * @source plugins/content-api/WIRE.md#publication-filters
 */
function compilePublication(
  compilation: Compilation,
  { holder: { type, alias } }: Scope,
  filter: PublicationFilter,
  visible: Filter | undefined,
): string {
  if (!type.hasDrafts) return "true";
  const { status } = compilation;
  const table = readTable(type.table);
  const other = (version: "draft" | "published", locale: "same" | "any", more = "") => {
    const where = `o.document_id = ${alias}.document_id and o.published_at is ${version === "draft" ? "null" : "not null"}`;
    const known = compileVisible(compilation, tableScope(compilation, type, "o", version), visible);
    const rule = known === "true" ? "" : ` and ${known}`;
    return `exists (select from ${table} o where ${where}${locale === "same" ? ` and o.locale = ${alias}.locale` : ""}${more}${rule})`;
  };
  // The counterpart of the current row; updated later on the draft's side means modified.
  const counterpart = status === "draft" ? "published" : "draft";
  const modified = status === "draft" ? `o.updated_at < ${alias}.updated_at` : `o.updated_at > ${alias}.updated_at`;
  switch (filter) {
    case "never-published":
      return `not ${other("published", "same")}`;
    case "has-published-version":
      return other("published", "same");
    case "never-published-document":
      return `not ${other("published", "any")}`;
    case "has-published-version-document":
      return other("published", "any");
    case "modified":
      return other(counterpart, "same", ` and ${modified}`);
    case "unmodified":
      return other(counterpart, "same", ` and not (${modified})`);
    case "published-with-draft":
      return status === "draft" ? "false" : other("draft", "same");
    case "published-without-draft":
      return status === "draft" ? "false" : `not ${other("draft", "same")}`;
  }
}

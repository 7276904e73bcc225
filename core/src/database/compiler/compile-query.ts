import { type Layout, tableOf } from "../layout.js";
import type { Query, RowsQuery } from "../query.js";
import { compileFilter, compileVisible } from "./compile-filter.js";
import { compilePublication } from "./compile-publication.js";
import { compileSearch } from "./compile-search.js";
import { compileSelection } from "./compile-selection.js";
import { compileOrder, isIndexedOrder } from "./compile-sort.js";
import {
  type Compilation,
  localeChain,
  type Scope,
  tableScope,
  type VersionChoice,
  versionCondition,
} from "./relation-join.js";
import { rowStamp } from "./row-stamp.js";
import { allOf, identifier, SqlWriter } from "./sql.js";

/**
 * A Query turned into SQL. The statement gives one row with the JSON text of the answer in `data` and, if asked for,
 * the count in `total`; for one document also its `stamps`. `slots[i]` is the slot whose value is parameter `$<i + 1>`.
 */
export interface Plan {
  readonly text: string;
  readonly slots: readonly number[];
}

/**
 * Compiles a read to one statement. PostgreSQL builds the JSON, populated relations and components included, by
 * scalar sub-selects around `row_to_json`; no value is in the text.
 *
 * @throws PLINTH_QUERY_UNCOMPILABLE when the Query names what the model does not have: a fault of who made the Query
 * @source architecture.md sections 5 and 9
 */
export function compileQuery(query: Query, layout: Layout): Plan {
  const writer = new SqlWriter();
  const compilation = compilationOf(query, layout, writer);
  const scope = rootScope(compilation, query);
  const text = query.isOne ? compileOne(compilation, scope, query) : compileList(compilation, scope, query);
  return { text, slots: writer.slots };
}

function compilationOf({ status, fallback }: Query, layout: Layout, writer: SqlWriter): Compilation {
  return { layout, writer, status, fallback };
}

/** With a fallback, related documents are looked for in the locale asked for first, not in that of the row. */
function rootScope(compilation: Compilation, query: Query): Scope {
  const { type } = tableOf(compilation.layout, query.type);
  const scope = tableScope(compilation, type, compilation.writer.alias(), query.status);
  const locales = compilation.fallback && askedLocales(compilation, query);
  return locales ? { ...scope, locales } : scope;
}

/** SQL of the locales that rows are chosen from; undefined for all, and on types that are not localised. */
function askedLocales(compilation: Compilation, { locale }: Query): VersionChoice["locales"] {
  if (locale === undefined || locale === "*") return undefined;
  return () => localeChain(compilation, compilation.writer.parameter(locale, "text"));
}

const tableWithAlias = ({ holder: { type, alias } }: Scope): string => `${identifier(type.table)} ${alias}`;

function compileOne(compilation: Compilation, scope: Scope, query: Query): string {
  const table = tableWithAlias(scope);
  const where = compileWhere(compilation, scope, query);
  const order = query.documentId === undefined ? ` order by ${compileOrder(compilation, scope, query.sort)}` : "";
  const columns = compileSelection(compilation, scope, query.selection);
  const stamps = compileStamps(scope);
  return `select row_to_json(r)::text as data, ${stamps} as stamps from ${table} cross join lateral (select ${columns}) r where ${where}${order} limit 1`;
}

/** What changes with every write of the row's document in its locale, draft or published; read in the same statement. */
function compileStamps({ holder: { type, alias } }: Scope): string {
  return `(select string_agg(${rowStamp("v")}, ',' order by v.id) from ${identifier(type.table)} v where v.document_id = ${alias}.document_id and v.locale = ${alias}.locale)`;
}

/** The page is cut before anything is populated, so what lies outside of it costs nothing. */
function compileList(compilation: Compilation, scope: Scope, query: Query): string {
  const { alias } = scope.row;
  const from = tableWithAlias(scope);
  const where = compileWhere(compilation, scope, query);
  const page = compilePage(compilation, scope, query, where);
  const columns = compileSelection(compilation, scope, query.selection);
  const rows = `select coalesce(json_agg(row_to_json(r)), '[]'::json)::text from (${page}) ${alias} cross join lateral (select ${columns}) r`;
  const total = query.count ? `, (select count(*) from ${from} where ${where})::int8 as total` : "";
  return `select (${rows}) as data${total}`;
}

function compilePage(compilation: Compilation, scope: Scope, query: Query, where: string): string {
  const { writer } = compilation;
  const { alias, type } = scope.holder;
  const order = compileOrder(compilation, scope, query.sort);
  const range = query.page
    ? ` limit ${writer.parameter(query.page.limit, "int8")} offset ${writer.parameter(query.page.start, "int8")}`
    : "";
  const locales = askedLocales(compilation, query)?.() ?? [];
  const isWalk = query.page !== undefined && locales.length > 1 && isIndexedOrder(type, query.status, query.sort);
  const [from, condition] = isWalk
    ? compileWalk(compilation, scope, query, { locales, order })
    : [tableWithAlias(scope), where];
  return `select ${alias}.* from ${from} where ${condition} order by ${order}${range}`;
}

/**
 * The rows of several locales, each in the order of its index, merged; whether a row is the first of its document is
 * asked as it comes by, so that a page ends after as many as it needs.
 *
 * @returns what follows `from`, and the condition on it.
 */
function compileWalk(
  compilation: Compilation,
  scope: Scope,
  query: Query,
  { locales, order }: { readonly locales: readonly string[]; readonly order: string },
): readonly [from: string, where: string] {
  const { alias } = scope.holder;
  const table = tableWithAlias(scope);
  const rows = locales.map((locale) => {
    const where = allOf(compileConditions(compilation, scope, query, { locales: () => [locale] }));
    return `(select ${alias}.* from ${table} where ${where} order by ${order})`;
  });
  // Without the offset the condition would move into each of the merged lists, and exhaust those that never fulfil it.
  const merged = `select ${alias}.* from (${rows.join(" union all ")}) ${alias} order by ${order} offset 0`;
  const isFirst = versionOf(compilation, scope, query, { locales: () => locales, isRowByRow: true });
  return [`(${merged}) ${alias}`, isFirst];
}

/** A statement that only counts. */
export function compileCount(query: Query, layout: Layout): Plan {
  const writer = new SqlWriter();
  const compilation = compilationOf(query, layout, writer);
  const scope = rootScope(compilation, query);
  const where = compileWhere(compilation, scope, query);
  return { text: `select count(*)::int8 as total from ${tableWithAlias(scope)} where ${where}`, slots: writer.slots };
}

/** A statement that gives the ids of those rows that exist for who asks. */
export function compileRows({ type: uid, rows, visible }: RowsQuery, layout: Layout): Plan {
  const writer = new SqlWriter();
  const compilation: Compilation = { layout, writer, status: "draft" };
  const { type } = tableOf(layout, uid);
  const alias = writer.alias();
  // Rows of any version: what they are linked to is of the same.
  const condition = compileVisible(compilation, tableScope(compilation, type, alias, undefined), visible);
  const where = `${alias}.id = any(${writer.parameter(rows, "int8[]")}) and ${condition}`;
  return {
    text: `select ${alias}.id::text as id from ${identifier(type.table)} ${alias} where ${where}`,
    slots: writer.slots,
  };
}

function compileWhere(compilation: Compilation, scope: Scope, query: Query): string {
  return allOf(compileConditions(compilation, scope, query, { locales: askedLocales(compilation, query) }));
}

function compileConditions(
  compilation: Compilation,
  scope: Scope,
  query: Query,
  choice: Pick<VersionChoice, "locales">,
): readonly string[] {
  const { writer } = compilation;
  const { alias, type } = scope.holder;
  const conditions = [
    query.documentId === undefined ? "true" : `${alias}.document_id = ${writer.parameter(query.documentId, "text")}`,
    versionOf(compilation, scope, query, choice),
    compileVisible(compilation, scope, query.visible),
    query.publication ? compilePublication(compilation, scope, query.publication, query.visible) : "true",
    query.search === undefined
      ? "true"
      : compileSearch(writer, scope, type, { slot: query.search, names: query.searched }),
    query.filter ? compileFilter(compilation, scope, query.filter) : "true",
  ];
  return conditions.filter((condition) => condition !== "true");
}

function versionOf(
  compilation: Compilation,
  { holder }: Scope,
  { status, visible }: Query,
  choice: Pick<VersionChoice, "locales" | "isRowByRow">,
): string {
  const isVisible = visible && ((rival: Scope) => compileVisible(compilation, rival, visible));
  return versionCondition(compilation, holder, { ...choice, status, isVisible });
}

import { type Layout, rowStamp, tableOf } from "../layout/layout.js";
import type { Query, RowsQuery } from "./query.js";
import { checkText, compileListOf, compileText, listsIn } from "./answer-size.js";
import { askedLocales, compileWhere, tableWithAlias } from "./compile-conditions.js";
import { compileCursor } from "./compile-cursor.js";
import { compileVisible } from "./compile-filter.js";
import { compilePage } from "./compile-page.js";
import { compileSelection } from "./compile-selection.js";
import { compileSets } from "./compile-sets.js";
import { compileOrder } from "./compile-sort.js";
import { type CompiledTotal, compileTotal, type CacheableCount } from "./compile-total.js";
import { type Compilation, type Scope, tableScope } from "./relation-join.js";
import { identifier, newAlias, parameter, toSqlText } from "../sql/sql.js";

/**
 * A Query turned into SQL. The statement gives one row with the JSON text of the answer in `data` and, if asked for,
 * the count in `total`; for a page after a cursor the JSON of the last row's place in `place`, null at the end; for one
 * document also its `stamps`. `slots[i]` is the slot whose value is parameter `$<i + 1>`.
 */
export interface Plan {
  readonly text: string;
  readonly slots: readonly number[];
  /** Names of the tables that it reads. */
  readonly tables: readonly string[];
  /** Of the total, where it can be kept. */
  readonly kept?: CacheableCount;
  /** The same without the total, for a caller that knows it: returns the `stamp` that says whether it still holds. */
  readonly uncounted?: Plan;
}

/**
 * Compiles a read to one statement. PostgreSQL builds the JSON, populated relations and components included, by
 * scalar sub-selects around `row_to_json`; no value is in the text.
 *
 * @throws PLINTH_QUERY_UNCOMPILABLE when the Query names what the model does not have: a bug in the code that made the
 * Query
 * @source core/decisions/0005-one-statement-per-read.md
 */
export function compileQuery(query: Query, layout: Layout): Plan {
  const compilation = compilationOf(query, layout);
  const scope = rootScope(compilation, query);
  if (query.isOne) return planOf(compileOne(compilation, scope, query));
  const total = query.count ? compileTotal(compilation, scope, query) : undefined;
  const list = compileList(compilation, scope, query, total);
  const uncounted = canLeaveOut(query, total) ? { uncounted: planOf(listWith(list, `(${total.stamp}) as stamp`)) } : {};
  return { ...planOf(listWith(list, total?.columns, total?.with)), ...keptOf(total), ...uncounted };
}

function planOf(sql: string): Pick<Plan, "text" | "slots" | "tables"> {
  const { text, slots, tables } = toSqlText(sql);
  return { text, slots, tables: [...tables].sort() };
}

/**
 * A count that is not run still has to be planned, which is a third of the time of a short page with conditions. A deep
 * page needs the total to decide from which end to read.
 */
function canLeaveOut(
  query: Query,
  total: CompiledTotal | undefined,
): total is CompiledTotal & { readonly stamp: string } {
  const isDeep = query.page !== undefined && "start" in query.page && query.page.isDeep;
  return total?.stamp !== undefined && !isDeep;
}

function compilationOf({ status, fallback, isWatched }: Query, layout: Layout): Compilation {
  return { layout, status, fallback, isWatched };
}

/** With a fallback, related documents are looked for in the locale asked for first, not in that of the row. */
function rootScope(compilation: Compilation, query: Query): Scope {
  const { type } = tableOf(compilation.layout, query.type);
  const scope = tableScope(compilation, type, newAlias(), query.status);
  const locales = compilation.fallback && askedLocales(compilation, query);
  return locales ? { ...scope, locales } : scope;
}

function compileOne(compilation: Compilation, scope: Scope, query: Query): string {
  const table = tableWithAlias(scope);
  const where = compileWhere(compilation, scope, query);
  const order = query.documentId === undefined ? ` order by ${compileOrder(compilation, scope, query.sort)}` : "";
  const columns = compileSelection(compilation, scope, query.selection);
  const stamps = compileStamps(scope, query);
  const end = `where ${where}${order} limit 1`;
  // Watching the size of every document would cost 5 % of its time; only one that may be large is watched.
  if (!query.isWatched)
    return `select row_to_json(r)::text as data, ${stamps} as stamps from ${table} cross join lateral (select ${columns}) r ${end}`;
  const text = compileText(compilation, `(select row_to_json(r) from (select ${columns}) r)`);
  return `select ${checkText("f.data")} as data, f.stamps from (select ${text} as data, ${stamps} as stamps from ${table} ${end}) f`;
}

/**
 * What changes with every write of the row's document in its locale, draft or published, or of the published row alone;
 * read in the same statement.
 */
function compileStamps({ holder: { type, alias } }: Scope, { stamps }: Query): string {
  const version = stamps === "published" ? " and v.published_at is not null" : "";
  return `(select string_agg(${rowStamp("v")}, ',' order by v.id) from ${identifier(type.table)} v where v.document_id = ${alias}.document_id and v.locale = ${alias}.locale${version})`;
}

/** A list, without its total. */
interface CompiledList {
  /** Common tables. */
  readonly with: readonly string[];
  /** What the statement selects. */
  readonly columns: string;
}

/** The page is cut before anything is populated, so what lies outside of it costs nothing. */
function compileList(
  compilation: Compilation,
  scope: Scope,
  query: Query,
  total: CompiledTotal | undefined,
): CompiledList {
  const { before, page, more } = compileRowsOf(compilation, scope, query, total);
  const sets = query.isWatched ? undefined : compileSets(compilation, scope, query, page);
  const from = sets?.from ?? `(${page}) ${scope.holder.alias}`;
  const columns = compileSelection(compilation, scope, query.selection, sets?.values);
  const order = sets ? ` order by ${sets.order}` : "";
  const rows = `from ${from} cross join lateral (select ${columns}) r`;
  const lists = listsIn(compilation, scope, query.selection);
  const list = query.isWatched
    ? `select ${compileText(compilation, compileListOf(compilation, { rows: `select r.* ${rows}${order}`, lists }))} as data`
    : `select ${compileText(compilation, `coalesce(json_agg(row_to_json(r)${order}), '[]'::json)`)} as data ${rows}`;
  const data = `select ${checkText("a.data")} from (${list}) a`;
  return { with: [...before, ...(sets?.with ?? [])], columns: `(${data}) as data${more}` };
}

/** The statement of a list with its total. */
function listWith(list: CompiledList, total: string | undefined, counted?: string): string {
  return `${withAll([...countedOf(counted), ...list.with])}select ${list.columns}${total ? `, ${total}` : ""}`;
}

const countedOf = (counted: string | undefined): readonly string[] =>
  counted ? [`counted as materialized (${counted})`] : [];

/** The rows of a list. */
interface CompiledRows {
  /** Common tables that the others need. */
  readonly before: readonly string[];
  /** SQL of the rows, in order. */
  readonly page: string;
  /** What the statement selects beside the rows. */
  readonly more: string;
}

function compileRowsOf(
  compilation: Compilation,
  scope: Scope,
  query: Query,
  total: CompiledTotal | undefined,
): CompiledRows {
  if (!query.page || "start" in query.page)
    return { before: [], page: compilePage(compilation, scope, query, total?.value), more: "" };
  const { rows, place, limit } = compileCursor(compilation, scope, query, query.page);
  const before = [`page as materialized (${rows})`];
  return { before, page: `select * from page limit ${limit}`, more: `, (${place}) as place` };
}

const keptOf = (total: CompiledTotal | undefined): Pick<Plan, "kept"> => (total?.kept ? { kept: total.kept } : {});

const withAll = (parts: readonly string[]): string => (parts.length > 0 ? `with ${parts.join(", ")} ` : "");

/** A statement that only counts. */
export function compileCount(query: Query, layout: Layout): Plan {
  const compilation = compilationOf(query, layout);
  const total = compileTotal(compilation, rootScope(compilation, query), query);
  return { ...planOf(`${withAll(countedOf(total.with))}select ${total.columns}`), ...keptOf(total) };
}

/** A statement that returns the ids of the rows that are visible to the caller. */
export function compileRows({ type: uid, rows, visible }: RowsQuery, layout: Layout): Plan {
  const compilation: Compilation = { layout, status: "draft" };
  const { type } = tableOf(layout, uid);
  const alias = newAlias();
  // Rows of any version: what they are linked to is of the same.
  const condition = compileVisible(compilation, tableScope(compilation, type, alias, undefined), visible);
  const where = `${alias}.id = any(${parameter(rows, "int8[]")}) and ${condition}`;
  return planOf(`select ${alias}.id::text as id from ${identifier(type.table)} ${alias} where ${where}`);
}

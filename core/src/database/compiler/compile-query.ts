import type { ContentType } from "../../schema/model.js";
import { type Layout, tableOf } from "../layout.js";
import type { Query, RowsQuery } from "../query.js";
import { compileFilter, compileVisible } from "./compile-filter.js";
import { compilePublication } from "./compile-publication.js";
import { compileSearch } from "./compile-search.js";
import { compileSelection, rangeOf } from "./compile-selection.js";
import { compileOrder } from "./compile-sort.js";
import { type Compilation, type Scope, tableScope, versionCondition } from "./relation-join.js";
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
  const compilation: Compilation = { layout, writer, status: query.status };
  const { type } = tableOf(layout, query.type);
  const alias = writer.alias();
  const scope = tableScope(compilation, type, alias, query.status);
  const table = `${identifier(type.table)} ${alias}`;
  const where = compileConditions(compilation, scope, type, query);
  const text = query.isOne
    ? compileOne(compilation, scope, query, { table, where })
    : compileList(compilation, scope, query, { table, where });
  return { text, slots: writer.slots };
}

interface From {
  readonly table: string;
  readonly where: string;
}

function compileOne(compilation: Compilation, scope: Scope, query: Query, { table, where }: From): string {
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
function compileList(compilation: Compilation, scope: Scope, query: Query, { table, where }: From): string {
  const { alias } = scope.row;
  const order = compileOrder(compilation, scope, query.sort);
  const range = query.page ? rangeOf(compilation, query.page) : "";
  const page = `select ${alias}.* from ${table} where ${where} order by ${order}${range}`;
  const columns = compileSelection(compilation, scope, query.selection);
  const rows = `select coalesce(json_agg(row_to_json(r)), '[]'::json)::text from (${page}) ${alias} cross join lateral (select ${columns}) r`;
  const total = query.count ? `, (select count(*) from ${table} where ${where})::int8 as total` : "";
  return `select (${rows}) as data${total}`;
}

/** A statement that only counts. */
export function compileCount(query: Query, layout: Layout): Plan {
  const writer = new SqlWriter();
  const compilation: Compilation = { layout, writer, status: query.status };
  const { type } = tableOf(layout, query.type);
  const alias = writer.alias();
  const where = compileConditions(compilation, tableScope(compilation, type, alias, query.status), type, query);
  return {
    text: `select count(*)::int8 as total from ${identifier(type.table)} ${alias} where ${where}`,
    slots: writer.slots,
  };
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

function compileConditions(compilation: Compilation, scope: Scope, type: ContentType, query: Query): string {
  const { writer } = compilation;
  const alias = scope.row.alias ?? "";
  const slot = query.locale;
  const locale = slot === undefined || slot === "*" ? undefined : () => writer.parameter(slot, "text");
  const conditions = [
    query.documentId === undefined ? "true" : `${alias}.document_id = ${writer.parameter(query.documentId, "text")}`,
    versionCondition(type, alias, query.status, locale),
    compileVisible(compilation, scope, query.visible),
    query.publication ? compilePublication(compilation, scope, query.publication, query.visible) : "true",
    query.search === undefined
      ? "true"
      : compileSearch(writer, scope, type, { slot: query.search, names: query.searched }),
    query.filter ? compileFilter(compilation, scope, query.filter) : "true",
  ];
  return allOf(conditions.filter((condition) => condition !== "true"));
}

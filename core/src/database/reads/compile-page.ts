import type { OffsetPage, Query } from "./query.js";
import { askedLocales, compileConditions, compileWhere, tableWithAlias, versionOf } from "./compile-conditions.js";
import { compileOrder, compileReverse, isIndexedOrder } from "./compile-sort.js";
import type { Compilation, Scope } from "./relation-join.js";
import { allOf, parameter } from "../sql/sql.js";

/**
 * The rows of a page: a select of all columns, in order.
 *
 * @param total - SQL of the number of rows that there are; undefined where it is not counted.
 */
export function compilePage(compilation: Compilation, scope: Scope, query: Query, total: string | undefined): string {
  const { page } = query;
  const offset = page && "start" in page ? page : undefined;
  const locales = askedLocales(compilation, query) ?? [];
  const isWalk = offset !== undefined && locales.length > 1 && isIndexedOrder(scope.holder.type, query.sort);
  if (offset?.isDeep && !isWalk) return compileDeepPage(compilation, scope, query, { offset, total });
  const { alias } = scope.holder;
  const order = compileOrder(compilation, scope, query.sort);
  const [from, condition] = isWalk
    ? compileWalk(compilation, scope, query, { locales, order })
    : [tableWithAlias(scope), compileWhere(compilation, scope, query)];
  const range = offset ? ` ${rangeOf(offset)}` : "";
  return `select ${alias}.* from ${from} where ${condition} order by ${order}${range}`;
}

function rangeOf({ start, limit }: OffsetPage): string {
  return `limit ${parameter(limit, "int8")} offset ${parameter(start, "int8")}`;
}

interface DeepPage {
  readonly offset: OffsetPage;
  readonly total: string | undefined;
}

/**
 * A page far from the beginning: row ids first, which an index has by itself, and the rows of these. Where the total is
 * known, a page past the middle is reached from the other end; PostgreSQL does not begin on the half whose limit is 0.
 */
function compileDeepPage(compilation: Compilation, scope: Scope, query: Query, { offset, total }: DeepPage): string {
  const { alias } = scope.holder;
  const table = tableWithAlias(scope);
  const where = compileWhere(compilation, scope, query);
  const order = compileOrder(compilation, scope, query.sort);
  const ids = (sorted: string, range: string) =>
    `select ${alias}.id from ${table} where ${where} order by ${sorted} ${range}`;
  // As a list, not as a join: a plan for any limit expects a tenth of all rows, and would read the whole table for them.
  const rows = (page: string) =>
    `select ${alias}.* from ${table} where ${alias}.id = any(array(${page})) order by ${order}`;
  if (total === undefined) return rows(ids(order, rangeOf(offset)));
  const [start, limit] = [parameter(offset.start, "int8"), parameter(offset.limit, "int8")];
  const isPast = `${start} > ${total} / 2`;
  const near = `limit case when ${isPast} then 0 else ${limit} end offset ${start}`;
  const left = `greatest(${total} - ${start}, 0)`;
  const far = `limit case when ${isPast} then least(${limit}, ${left}) else 0 end offset greatest(${total} - ${start} - ${limit}, 0)`;
  const reverse = compileReverse(compilation, scope, query.sort);
  return rows(`(${ids(order, near)}) union all (${ids(reverse, far)})`);
}

/**
 * The rows of several locales, each in the order of its index, merged; whether a row is the first of its document is
 * checked row by row, so that a page ends after as many as it needs.
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
    const where = allOf(compileConditions(compilation, scope, query, { locales: [locale] }));
    return `(select ${alias}.* from ${table} where ${where} order by ${order})`;
  });
  // Without the offset PostgreSQL would move the condition into each of the merged lists, and read some of them to the end.
  const merged = `select ${alias}.* from (${rows.join(" union all ")}) ${alias} order by ${order} offset 0`;
  const isFirst = versionOf(compilation, scope, query, { locales, isRowByRow: true });
  return [`(${merged}) ${alias}`, isFirst];
}

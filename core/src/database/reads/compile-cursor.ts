import type { CursorPage, Query } from "./query.js";
import { askedLocales, compileConditions, tableWithAlias, versionOf } from "./compile-conditions.js";
import { type OrderKey, orderKeys } from "./compile-sort.js";
import type { Compilation, Scope } from "./relation-join.js";
import { allOf, identifier, parameter } from "../sql/sql.js";

/** Name of the column that holds a key of a row's place; no attribute's column has a dot. */
const keyColumn = (index: number): string => identifier(`place.${index}`);

/** SQL of a page that begins after a place in the order. */
export interface CompiledCursor {
  /** The rows of the page, and one more where there is one: all columns, and the keys of their places. */
  readonly rows: string;
  /** From `rows`, named `page`: JSON of the last row's place, no row where nothing comes after it. */
  readonly place: string;
  /** SQL of the number of rows. */
  readonly limit: string;
}

/**
 * The rows after a place are a union of ranges, each of which an index on the order can walk by itself and which ends
 * after as many rows as the page has: those that share all keys but the last with the place, those that share all but
 * the last two, and so on. So every page costs the same. Nulls are ranges of their own, where PostgreSQL puts them.
 *
 * @source https://www.postgresql.org/docs/current/queries-order.html, nulls come last ascending and first descending
 */
export function compileCursor(compilation: Compilation, scope: Scope, query: Query, page: CursorPage): CompiledCursor {
  const { alias } = scope.holder;
  const limit = parameter(page.limit, "int8");
  const keys = orderKeys(compilation, scope, query.sort);
  const order = keys.map(({ direction }, index) => `${keyColumn(index)} ${direction}`).join(", ");
  const columns = keys.map(({ value }, index) => `${value} as ${keyColumn(index)}`).join(", ");
  const end = `order by ${order} limit ${limit} + 1`;
  const table = tableWithAlias(scope);
  const parts = rowsOf(compilation, scope, query).flatMap((rows) =>
    rangesAfter(keys, page.after).map(
      (range) => `(select ${alias}.*, ${columns} from ${table} where ${allOf([...rows, ...range])} ${end})`,
    ),
  );
  const place = keys.map(({ traits }, index) => traits.output(`page.${keyColumn(index)}`)).join(", ");
  return {
    rows: parts.length === 1 ? (parts[0] as string) : `select * from (${parts.join(" union all ")}) rows ${end}`,
    place: `select json_build_array(${place})::text from page where (select count(*) from page) > ${limit} offset ${limit} - 1 limit 1`,
    limit,
  };
}

/** The conditions on a row, for each locale that rows may be in. */
function rowsOf(compilation: Compilation, scope: Scope, query: Query): readonly (readonly string[])[] {
  const asked = askedLocales(compilation, query);
  const locales = asked ?? [];
  if (locales.length < 2) return [compileConditions(compilation, scope, query, { locales: asked })];
  return locales.map((locale, index) => {
    const rows = compileConditions(compilation, scope, query, { locales: [locale] });
    const chain = { locales: locales.slice(0, index + 1), isRowByRow: true };
    return index === 0 ? rows : [...rows, versionOf(compilation, scope, query, chain)];
  });
}

/** The ranges after a place; the one range without conditions where there is no place. */
function rangesAfter(keys: readonly OrderKey[], after: CursorPage["after"]): readonly (readonly string[])[] {
  if (after.length === 0) return [[]];
  const values = keys.map(({ traits }, index) => {
    const slot = after[index] ?? null;
    return slot === null ? null : parameter(slot, traits.cast);
  });
  const shared = keys.map(({ value }, index) =>
    values[index] === null ? `${value} is null` : `${value} = ${values[index]}`,
  );
  return keys.flatMap((key, index) =>
    beyond(key, values[index] ?? null).map((condition) => [...shared.slice(0, index), condition]),
  );
}

/** What a key is in the rows after a value, each condition one range. */
function beyond({ value, direction, isNullable }: OrderKey, last: string | null): readonly string[] {
  if (direction === "desc") return [last === null ? `${value} is not null` : `${value} < ${last}`];
  if (last === null) return [];
  return [`${value} > ${last}`, ...(isNullable ? [`${value} is null`] : [])];
}

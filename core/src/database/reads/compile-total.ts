import { createHash } from "node:crypto";
import type { Query, Slot } from "./query.js";
import { askedLocales, compileWhere, tableWithAlias } from "./compile-conditions.js";
import type { Compilation, Scope } from "./relation-join.js";
import { summedStamp, summedTotal } from "../layout/noted-changes.js";
import { literal, parameter, toSqlText } from "../sql/sql.js";

/** A slot that no Query has: the stamp that the tables of a kept total had. */
export const KNOWN_STAMP: Slot = -1;
/** A slot that no Query has: the kept total. */
const KNOWN_TOTAL: Slot = -2;

/** A total that can be kept, because the statement says itself whether it still holds. */
export interface CacheableCount {
  /** Equal for all statements that count the same, apart from values. */
  readonly key: string;
  /** Slots of the values that it depends on. */
  readonly slots: readonly Slot[];
}

/** SQL of the number of rows that a Query's conditions match. */
export interface CompiledTotal {
  /** What the common table `counted` selects, where there is one. */
  readonly with?: string;
  /** What the statement selects: the number as `total`, and, of one that can be kept, the `stamp` of its tables. */
  readonly columns: string;
  /** The number. */
  readonly value: string;
  readonly kept?: CacheableCount;
  /** Of one that can be kept: a select of the stamp alone, without values. */
  readonly stamp?: string;
}

/**
 * The total of a list, independent of its page. Of a list without conditions it is the sum of what the writers of its
 * table noted. Any other is counted once, and again after a table that the conditions look at was written: the
 * statement compares the stamp of these tables with the one at the last count, so no commit is ever missed.
 */
export function compileTotal(compilation: Compilation, scope: Scope, query: Query): CompiledTotal {
  if (isWhole(compilation, query)) return compileSum(compilation, scope, query);
  const where = compileWhere(compilation, scope, query);
  const count = `select count(*)::int8 from ${tableWithAlias(scope)} where ${where}`;
  const { text, slots, tables } = toSqlText(count);
  const kept = { key: createHash("sha256").update(text).digest("base64"), slots };
  const named = [...tables].map(literal);
  const stamps = compilation.layout.countsAlong ? summedStamp(named) : `plinth_stamp(array[${named.join(", ")}])`;
  const stamp = `select ${stamps} as stamp`;
  const known = `s.stamp = ${parameter(KNOWN_STAMP, "int8")} then ${parameter(KNOWN_TOTAL, "int8")}`;
  const value = "(select total from counted)";
  return {
    with: `select s.stamp, case when ${known} else (${count}) end as total from (${stamp}) s`,
    columns: `${value} as total, (select stamp from counted) as stamp`,
    value,
    kept,
    stamp,
  };
}

/** Whether all rows of a version and of one locale, or of all, are asked for. */
function isWhole(compilation: Compilation, query: Query): boolean {
  const { documentId, filter, visible, search, publication } = query;
  const conditions = [documentId, filter, visible, search, publication];
  const locales = askedLocales(compilation, query) ?? [];
  return conditions.every((condition) => condition === undefined) && locales.length < 2;
}

function compileSum(compilation: Compilation, { holder: { type } }: Scope, query: Query): CompiledTotal {
  const [locale] = askedLocales(compilation, query) ?? [];
  const drafts = type.hasDrafts ? String(query.status === "draft") : "null";
  const value = compilation.layout.countsAlong
    ? summedTotal(type.table, drafts, locale ?? "null")
    : `(select plinth_total(${literal(type.table)}, ${drafts}, ${locale ?? "null"}))`;
  return { columns: `${value} as total`, value };
}

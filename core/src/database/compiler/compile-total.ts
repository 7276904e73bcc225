import type { Query } from "../query.js";
import { compileWhere, tableWithAlias } from "./compile-conditions.js";
import type { Compilation, Scope } from "./relation-join.js";

/** SQL of the number of rows that a Query's conditions match. */
export interface CompiledTotal {
  /** What the common table `counted` selects, where the number is used more than once. */
  readonly with?: string;
  /** What the statement selects: the number as `total`. */
  readonly columns: string;
  /** The number. */
  readonly value: string;
}

/** The total of a list, whatever its page. */
export function compileTotal(compilation: Compilation, scope: Scope, query: Query): CompiledTotal {
  const where = compileWhere(compilation, scope, query);
  const from = tableWithAlias(compilation, scope);
  const count = (as = "") => `select count(*)${as} from ${from} where ${where}`;
  const isUsedAgain = query.page !== undefined && "start" in query.page && query.page.isDeep === true;
  if (!isUsedAgain) return { columns: `(${count()})::int8 as total`, value: `(${count()})` };
  const value = "(select total from counted)";
  return { with: count("::int8 as total"), columns: `${value} as total`, value };
}

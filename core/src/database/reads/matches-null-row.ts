import type { Filter } from "./query.js";

/**
 * Whether a filter holds for a related document that does not exist: every field null, every relation empty.
 * Comparisons with null are neither true nor false, so neither they nor their negations hold.
 *
 * @source plugins/content-api/WIRE.md#filters-through-relations, `filters[author][id][$null]=true` finds rows without
 *   an author
 */
export function matchesNullRow(filter: Filter, isNegated: boolean): boolean {
  switch (filter.op) {
    case "and":
    case "or": {
      const holds = (item: Filter) => matchesNullRow(item, isNegated);
      return (filter.op === "and") === isNegated ? filter.items.some(holds) : filter.items.every(holds);
    }
    case "not":
      return matchesNullRow(filter.item, !isNegated);
    case "constant":
      return filter.value !== isNegated;
    case "compare":
      return false;
    case "null":
      return filter.isNull !== isNegated;
    case "related":
      return matchesNullRow(filter.where, isNegated);
  }
}

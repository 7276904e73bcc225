import type { QueryObject } from "@plinth/core";
import { MisplacedPaginationError, UnknownParameterError } from "./errors.js";

const KNOWN: readonly string[] = [
  ...["filters", "sort", "fields", "populate", "pagination", "_q"],
  ...["status", "locale", "fallbackLocale", "publicationFilter", "hasPublishedVersion"],
];

/** Names that reach the query builder in systems like this one; no honest client sends them. */
const LEAKY: ReadonlySet<string> = new Set(["where", "lookup", "select", "having", "groupBy", "params"]);

/**
 * Checks the names at the root of a query string; what is inside them is parsed later.
 *
 * @param isList - a list also refuses `page` and `pageSize` outside of `pagination`.
 * @throws PLINTH_REST_UNKNOWN_PARAMETER, PLINTH_REST_MISPLACED_PAGINATION (400)
 * @source plugins/content-api/WIRE.md#principles
 * @source plugins/content-api/WIRE.md#query-string
 */
export function checkQuery(
  query: QueryObject,
  { isList, isStrict }: { readonly isList: boolean; readonly isStrict: boolean },
): void {
  for (const key of Object.keys(query)) {
    if (isList && (key === "page" || key === "pageSize")) throw new MisplacedPaginationError({});
    if (LEAKY.has(key) || (isStrict && !KNOWN.includes(key))) {
      throw new UnknownParameterError({ key, path: null, source: "query", known: KNOWN });
    }
  }
}

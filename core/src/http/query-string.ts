import { LRUCache } from "lru-cache";
import qs from "qs";
import { isPlinthError } from "../base/error.js";
import { freezeDeep } from "../base/frozen-copy.js";
import type { OptionsOf } from "../base/options/schema-node.js";
import { option, options, whole } from "../base/options/values.js";
import { rememberSource } from "../base/source-text.js";
import * as v from "@plinth/core/valibot";
import { ForbiddenKeyError, QueryLimitError } from "./errors.js";
import type { QueryObject } from "./types.js";

/** What `plinth::query` is configured with. @source plugins/content-api/WIRE.md#query-string */
export const queryOptions = options({
  depth: option(whole(1), "Bracketed levels of one key: `a[b][c]` has 2.", 20),
  arrayLimit: option(whole(1), "Elements of one list, and the greatest index plus one.", 100),
  parameterLimit: option(whole(1), "Parameters of the whole.", 1000),
});

/** Limits of query strings and forms. */
export type QueryLimits = OptionsOf<typeof queryOptions>;

/** The limits where nothing else is configured. */
export const defaultQueryLimits: QueryLimits = v.parse(queryOptions, {});

/**
 * Parses a query string; no parameter is dropped silently.
 *
 * @param text - without the question mark: `filters[title][$eq]=a`.
 * @throws PLINTH_HTTP_QUERY_LIMIT (400) details `{ limit, max }`; PLINTH_HTTP_FORBIDDEN_KEY (400) details `{ key }`
 * @source plugins/content-api/WIRE.md#query-string, what is beyond the parser's limit is a 400
 */
export function parseQueryString(text: string, limits: QueryLimits = defaultQueryLimits): QueryObject {
  try {
    return qs.parse(text, optionsOf(limits)) as QueryObject;
  } catch (error) {
    throw toLimitError(error, limits);
  }
}

const known = new WeakMap<QueryLimits, qs.IParseOptions>();

function optionsOf(limits: QueryLimits): qs.IParseOptions {
  const options = known.get(limits) ?? buildQsOptions(limits);
  known.set(limits, options);
  return options;
}

/** The options of qs for some limits: exceeding one throws, and keys of prototypes stay keys. */
export function buildQsOptions(limits: QueryLimits) {
  return {
    ...limits,
    strictDepth: true,
    throwOnLimitExceeded: true,
    plainObjects: true,
    allowDots: false,
    decoder: decodeChecked,
  } as const satisfies qs.IParseOptions;
}

/** Our error for qs's error beyond a limit; any other error as it is. */
export function toLimitError(error: unknown, limits: QueryLimits): unknown {
  if (!(error instanceof RangeError) || isPlinthError(error)) return error;
  const limit = LIMIT_OF_MESSAGE.find(([start]) => error.message.startsWith(start))?.[1];
  return limit ? new QueryLimitError({ limit, max: limits[limit] }, { cause: error }) : error;
}

/** How qs names the limits; it has no codes. */
const LIMIT_OF_MESSAGE = [
  ["Array limit", "arrayLimit"],
  ["Parameter limit", "parameterLimit"],
  ["Input depth", "depth"],
] as const;

/** qs drops a `__proto__` key silently, so it is rejected where keys are decoded. */
function decodeChecked(
  text: string,
  decode: (text: string) => string,
  _charset: string,
  type: "key" | "value",
): string {
  const decoded = decode(text);
  if (type === "key" && decoded.split(/[[\]]/).includes("__proto__")) throw new ForbiddenKeyError({ key: "__proto__" });
  return decoded;
}

const CAPACITY = 2000;

/** Bytes of all query strings that are kept, and what a parsed one takes for each of its characters. */
const MOST_BYTES = 8_000_000;
const BYTES_OF_CHARACTER = 20;

/** Longer query strings are parsed every time. */
const MAX_LENGTH = 4096;

/** Parsed query strings, deeply frozen because requests share them. Bounded: clients choose the texts. */
export class QueryCache {
  readonly #known = new LRUCache<string, QueryObject>({
    max: CAPACITY,
    maxSize: MOST_BYTES,
    sizeCalculation: (_query, text) => (text.length + 1) * BYTES_OF_CHARACTER,
  });

  constructor(private readonly limits: QueryLimits) {}

  /** @throws PLINTH_HTTP_QUERY_LIMIT, PLINTH_HTTP_FORBIDDEN_KEY (400) */
  parse(text: string): QueryObject {
    if (text.length > MAX_LENGTH) return parseQueryString(text, this.limits);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const query = rememberSource(freezeDeep(parseQueryString(text, this.limits)), text);
    this.#known.set(text, query);
    return query;
  }
}

import { freezeDeep } from "../base/freeze-deep.js";
import { RecentMap } from "../base/recent-map.js";
import { rememberSource } from "../base/source-text.js";
import { parseQueryString, type QueryLimits } from "./query-string.js";
import type { QueryObject } from "./types.js";

const CAPACITY = 2000;

/** Bytes of all query strings that are kept, and what a parsed one takes for each of its characters. */
const MOST_BYTES = 8_000_000;
const BYTES_OF_CHARACTER = 20;

/** Longer query strings are parsed every time. */
const MAX_LENGTH = 4096;

/** Parsed query strings, deeply frozen because requests share them. Bounded: clients choose the texts. */
export class QueryCache {
  readonly #known = new RecentMap<string, QueryObject>(CAPACITY, {
    of: (text) => text.length * BYTES_OF_CHARACTER,
    most: MOST_BYTES,
  });

  constructor(private readonly limits: QueryLimits) {}

  /** @throws PLINTH_HTTP_QUERY_LIMIT, PLINTH_HTTP_FORBIDDEN_KEY (400) */
  parse(text: string): QueryObject {
    if (text.length > MAX_LENGTH) return parseQueryString(text, this.limits);
    return this.#known.getOrMake(text, () => rememberSource(freezeDeep(parseQueryString(text, this.limits)), text));
  }
}

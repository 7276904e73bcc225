import { LRUCache } from "lru-cache";
import { freezeDeep } from "../base/freeze-deep.js";
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

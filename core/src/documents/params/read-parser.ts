import type { Ability } from "../../access/ability.js";
import { sourceOf } from "../../base/source-text.js";
import type { ContentModel, ContentType } from "../../schema/model.js";
import { parseReadParams, type PreparedRead, type ReadOptions } from "./parse-params.js";
import { ReadCache, readOfDocument } from "./read-cache.js";
import type { Visibility } from "./parse-context.js";

/** What is the same for all reads of a parser. */
type FixedOptions = Omit<ReadOptions, "visibility" | "ability" | "documentId" | "selection">;

/** Whose read it is. */
interface Caller {
  readonly visibility: Visibility;
  readonly ability: Ability;
}

/**
 * Parses the parameters of one kind of read, as parseReadParams does.
 *
 * @param documentId - for a read of one document of a collection.
 * @throws PLINTH_QUERY_* (400), PLINTH_ACCESS_FORBIDDEN (403)
 */
export type ReadParser = (params: object, caller: Caller, documentId?: string) => PreparedRead;

/** One cache for all parsers of an app, so that its bound holds for an app of many content-types. */
const caches = new WeakMap<ContentModel, ReadCache>();

/** Parsers so far: the number of one is part of its keys. */
let parsers = 0;

/** Stands for the id of a document while a read is parsed that is kept for all of them. */
const ANY_DOCUMENT = "";

/**
 * Makes the parser of one kind of read of a content-type. Parameters that come from a query string unchanged are parsed
 * once for all callers of equal abilities, and kept by their text; see source-text.ts.
 *
 * @param options - asked for when something has to be parsed.
 */
export function createReadParser(model: ContentModel, type: ContentType, options: () => FixedOptions): ReadParser {
  parsers += 1;
  const name = String(parsers);
  const cache = cacheOf(model);
  return (params, { visibility, ability }, documentId) => {
    const parse = (id: string | undefined) => {
      const named = id === undefined ? {} : { documentId: id };
      return parseReadParams(model, type, params, { ...options(), visibility, ability, ...named });
    };
    const text = sourceOf(params);
    if (text === undefined) return parse(documentId);
    const known = (id: string | undefined) => cache.get(`${name}\n${visibility}\n${text}`, ability, () => parse(id));
    return documentId === undefined ? known(undefined) : readOfDocument(known(ANY_DOCUMENT), documentId);
  };
}

function cacheOf(model: ContentModel): ReadCache {
  const known = caches.get(model) ?? new ReadCache(model);
  caches.set(model, known);
  return known;
}

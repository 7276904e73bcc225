import { LRUCache } from "lru-cache";
import type { Ability } from "../../access/ability.js";
import { sourceOf } from "../../base/source-text.js";
import type { ContentModel, ContentType } from "../../schema/model.js";
import { parseText, type Visibility } from "./parse-context.js";
import { parseReadParams, type PreparedRead, type ReadOptions } from "./parse-params.js";

/** Reads that are kept. */
const CAPACITY = 4000;

/** Bytes of all reads that are kept, and what an entry takes for each character of its JSON: measured, 0.57 MB of 12 kB of names. */
const MOST_BYTES = 32_000_000;
const BYTES_OF_CHARACTER = 10;

/** Reads of longer keys are parsed every time, so that what is kept stays bounded in bytes as well. */
const MAX_KEY_LENGTH = 4096;

/** Room for reads. It takes 0.3 ms, which is too much for a start with many content-types. */
const makeRoom = () =>
  new LRUCache<string, PreparedRead>({
    max: CAPACITY,
    maxSize: MOST_BYTES,
    maxEntrySize: MOST_BYTES / 8,
    sizeCalculation: ({ query }, key) => key.length + BYTES_OF_CHARACTER * JSON.stringify(query).length,
  });

/** Reads by what they were parsed from; bounded, because clients can send any number of parameters. */
export class ReadCache {
  /** Made for the first read. */
  #reads: LRUCache<string, PreparedRead> | undefined;
  #locales: ContentModel["locales"];

  constructor(private readonly model: ContentModel) {
    this.#locales = model.locales;
  }

  /**
   * The read of a key, made when it is not known; what `make` throws is thrown. A read without rules is that of all
   * abilities of equal `key`, one with rules that of those which hold equal values, too.
   *
   * @param text - what it is parsed from.
   */
  get(text: string, { key, values }: Pick<Ability, "key" | "values">, make: () => PreparedRead): PreparedRead {
    this.#followLocales();
    const common = `${key}\n${text}`;
    const ruled = values === undefined ? undefined : `${values}\n\n${common}`;
    this.#reads ??= makeRoom();
    const known = this.#reads.get(common) ?? (ruled && this.#reads.get(ruled));
    if (known) return known;
    const read = make();
    const own = read.hasRules ? ruled : common;
    if (own !== undefined && own.length <= MAX_KEY_LENGTH) this.#reads.set(own, read);
    return read;
  }

  /** A read knows the locales, the default one and which stands in for which, as they were when it was parsed. */
  #followLocales(): void {
    const { locales } = this.model;
    if (locales === this.#locales) return;
    this.#reads?.clear();
    this.#locales = locales;
  }
}

/**
 * A read of one document, as the same read of another. @throws PLINTH_QUERY_INVALID_SHAPE (400) for an id that is not a
 * string to PostgreSQL
 */
export function readOfDocument(prepared: PreparedRead, documentId: string): PreparedRead {
  const slot = prepared.query.documentId;
  if (slot === undefined) return prepared;
  const value = parseText({ param: "documentId" }, "documentId", documentId);
  return { ...prepared, values: prepared.values.with(slot, value) };
}

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

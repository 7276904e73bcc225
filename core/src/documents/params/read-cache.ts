import { LRUCache } from "lru-cache";
import type { Ability } from "../../access/ability.js";
import type { ContentModel } from "../../schema/model.js";
import type { PreparedRead } from "./parse-params.js";
import { parseText } from "./parse-context.js";

/** Reads that are kept. */
const CAPACITY = 4000;

/** Bytes of all reads that are kept, and what an entry takes for each character of its JSON: measured, 0.57 MB of 12 kB of names. */
const MOST_BYTES = 32_000_000;
const BYTES_OF_CHARACTER = 10;

/** Reads of longer keys are parsed every time, so that what is kept stays bounded in bytes as well. */
const MAX_KEY_LENGTH = 4096;

/** Reads by what they were parsed from; bounded, because clients can send any number of parameters. */
export class ReadCache {
  readonly #reads = new LRUCache<string, PreparedRead>({
    max: CAPACITY,
    maxSize: MOST_BYTES,
    maxEntrySize: MOST_BYTES / 8,
    sizeCalculation: ({ query }, key) => key.length + BYTES_OF_CHARACTER * JSON.stringify(query).length,
  });
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
    this.#reads.clear();
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

import type { GraphQLRequestContext } from "@apollo/server";
import type { ContentModel } from "@plinth/core/schema";
import type { DocumentNode } from "graphql";
import { LRUCache } from "lru-cache";
import type { GraphqlContext } from "../contract.js";
import type { TextRoot } from "./text-root.js";

/** What a plan is made from. */
export type TextRequest = Pick<
  GraphQLRequestContext<GraphqlContext>,
  "schema" | "document" | "operation" | "operationName" | "request" | "contextValue"
>;

/** Plans that are kept; clients can send any number of them. */
const CAPACITY = 1000;

/** Characters of variables beyond which a plan is not kept. */
const MAX_VARIABLES = 2000;

/** Bytes of all plans that are kept, and what a root takes for each character of its document and variables. */
const MOST_BYTES = 32_000_000;
const BYTES_OF_CHARACTER = 50;

/** Characters of the document that roots belong to. */
const lengthOf = ([root]: readonly TextRoot[]): number => root?.nodes[0]?.loc?.source.body.length ?? 0;

/**
 * Cached plans of queries: the same document with the same variables by an actor of equal limits. The
 * engine keeps documents it has parsed, so the same text comes as the same object. All are dropped when the locales
 * change.
 */
export class TextPlans {
  readonly #plans = new LRUCache<string, readonly TextRoot[]>({
    max: CAPACITY,
    maxSize: MOST_BYTES,
    maxEntrySize: MOST_BYTES / 8,
    sizeCalculation: (roots, key) => BYTES_OF_CHARACTER * (key.length + lengthOf(roots)),
  });
  readonly #documents = new WeakMap<DocumentNode, number>();
  #documentCount = 0;
  #locales: ContentModel["locales"] | undefined;

  get(model: ContentModel, request: TextRequest): readonly TextRoot[] | undefined {
    this.#follow(model);
    const key = this.#keyOf(request);
    return key === undefined ? undefined : this.#plans.get(key);
  }

  /** Caches a plan if it can be used again, and returns it. */
  keep(model: ContentModel, request: TextRequest, plan: readonly TextRoot[] | undefined): typeof plan {
    if (!plan?.every(({ isReusable }) => isReusable)) return plan;
    this.#follow(model);
    const key = this.#keyOf(request);
    if (key !== undefined) this.#plans.set(key, plan);
    return plan;
  }

  /** A changed locale is a new list of all: default and fallbacks are part of plans. */
  #follow({ locales }: ContentModel): void {
    if (locales === this.#locales) return;
    this.#plans.clear();
    this.#locales = locales;
  }

  #keyOf(request: TextRequest): string | undefined {
    const { document, operationName, contextValue } = request;
    const variables = JSON.stringify(request.request.variables ?? {});
    if (!document || variables.length > MAX_VARIABLES) return undefined;
    const parts = [this.#numberOf(document), operationName ?? "", contextValue.ability.key, variables];
    return parts.join("\n");
  }

  #numberOf(document: DocumentNode): number {
    const known = this.#documents.get(document);
    if (known !== undefined) return known;
    this.#documentCount += 1;
    this.#documents.set(document, this.#documentCount);
    return this.#documentCount;
  }
}

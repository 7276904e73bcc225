import type { GraphQLRequestContext } from "@apollo/server";
import type { ContentModel } from "@plinth/core";
import type { DocumentNode } from "graphql";
import type { GraphqlContext } from "../contract.js";
import type { TextRoot } from "./text-root.js";

/** What a plan is made from. */
export type TextRequest = Pick<
  GraphQLRequestContext<GraphqlContext>,
  "schema" | "document" | "operation" | "operationName" | "request" | "contextValue"
>;

/** Plans that are kept; clients can mint any number of them. */
const CAPACITY = 1000;

/** Characters of variables beyond which a plan is not kept. */
const MAX_VARIABLES = 2000;

/**
 * Plans of queries that were asked before: the same document with the same variables by an actor of equal limits. The
 * engine keeps documents it has parsed, so the same text comes as the same object. The least recently used plan goes
 * first, and all of them when the locales change.
 */
export class TextPlans {
  readonly #plans = new Map<string, readonly TextRoot[]>();
  readonly #documents = new WeakMap<DocumentNode, number>();
  #documentCount = 0;
  #locales: ContentModel["locales"] | undefined;

  get(model: ContentModel, request: TextRequest): readonly TextRoot[] | undefined {
    this.#follow(model);
    const key = this.#keyOf(request);
    const plan = key === undefined ? undefined : this.#plans.get(key);
    if (key === undefined || plan === undefined) return undefined;
    this.#plans.delete(key);
    this.#plans.set(key, plan);
    return plan;
  }

  /** Keeps a plan where it may be used again, and hands it back. */
  keep(model: ContentModel, request: TextRequest, plan: readonly TextRoot[] | undefined): typeof plan {
    if (!plan?.every(({ isReusable }) => isReusable)) return plan;
    this.#follow(model);
    const key = this.#keyOf(request);
    if (key === undefined) return plan;
    this.#plans.set(key, plan);
    if (this.#plans.size > CAPACITY) this.#plans.delete(this.#plans.keys().next().value as string);
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

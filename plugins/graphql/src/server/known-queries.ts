import type { RequestInfo } from "@plinth/core/http";
import { LRUCache } from "lru-cache";
import type { AcceptedQuery } from "../graphql-context.js";

/** Number of queries that are kept, characters of them all and of one: their parsed form takes some 100 bytes for each. */
const QUERIES = 1000;
const QUERIES_LENGTH = 200_000;
const MAX_LENGTH = 8_000;

/** Number of Accept headers that are kept, and characters of one. */
const ACCEPTS = 100;
const MAX_ACCEPT = 300;

/** A query that is known, as a request sends it. */
export interface FoundQuery extends AcceptedQuery {
  readonly variables: Record<string, unknown>;
  /** Of the answer. */
  readonly contentType: string;
}

/** What a client sends. */
interface SentQuery {
  readonly query?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

/**
 * Queries that PostgreSQL answers and Apollo Server has accepted before. Sent again, with any variables, they need
 * Apollo Server no more: it would look up what is known here, and run the hooks of plugins that are not there. Every
 * request that is not exactly of this kind, an invalid one for instance, is left to it.
 *
 * @source core/decisions/0014-reads-without-koa.md, what that saves
 */
export class KnownQueries {
  readonly #queries = new LRUCache<string, AcceptedQuery>({
    max: QUERIES,
    maxSize: QUERIES_LENGTH,
    maxEntrySize: MAX_LENGTH,
    sizeCalculation: (_query, text) => text.length,
  });
  /** The content-type that Apollo Server chooses for an Accept header. */
  readonly #contentTypes = new LRUCache<string, string>({ max: ACCEPTS });

  /** @returns undefined where Apollo Server has to answer. */
  find({ method, headers, body }: RequestInfo): FoundQuery | undefined {
    // A form of another site can send neither of the two: no request is known that has to be refused for that.
    if (method !== "POST" || !isJson(headers["content-type"])) return undefined;
    const contentType = this.#contentTypes.get(headers.accept ?? "");
    const { query, variables, operationName, extensions } = (body ?? {}) as SentQuery;
    if (contentType === undefined || typeof query !== "string" || extensions !== undefined) return undefined;
    const known = this.#queries.get(query);
    if (!known || !isName(operationName, known) || !areVariables(variables)) return undefined;
    return { ...known, variables: variables ?? {}, contentType };
  }

  /** @param contentType - what Apollo Server answered with. */
  remember({ headers, body }: RequestInfo, accepted: AcceptedQuery, contentType: string | undefined): void {
    const { query } = (body ?? {}) as SentQuery;
    const accept = headers.accept ?? "";
    if (typeof query !== "string" || query === "" || contentType === undefined || accept.length > MAX_ACCEPT) return;
    this.#queries.set(query, accepted);
    this.#contentTypes.set(accept, contentType);
  }
}

const isJson = (contentType: string | undefined): boolean => /^application\/json\s*(;|$)/i.test(contentType ?? "");

/** Whether an operation's name means the one of a document. */
const isName = (name: unknown, { operation }: AcceptedQuery): boolean =>
  name === undefined || name === null || name === operation.name?.value;

const areVariables = (variables: unknown): variables is Record<string, unknown> | null | undefined =>
  variables === undefined || (typeof variables === "object" && !Array.isArray(variables));

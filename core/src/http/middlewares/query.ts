import { type RequestPrototype, replaceQuery } from "../koa-internals.js";
import { parseQueryString, queryOptions } from "../query-string.js";
import type { MiddlewareFactory, QueryObject } from "../types.js";
import { readOptions } from "./read-options.js";

/**
 * `plinth::query`: `ctx.query` is the parsed query string, with nested keys and lists. It is parsed when first read,
 * so a request that is rejected before costs nothing.
 *
 * Configuration: `{ depth: 20, arrayLimit: 100, parameterLimit: 1000 }`.
 *
 * @param prototype - gets the property once; defining it on each request would cost a quarter of the server's rate.
 */
export function createQuery(prototype: RequestPrototype): MiddlewareFactory {
  return (config) => {
    const limits = readOptions("plinth::query", config, queryOptions);
    const parsed = new WeakMap<object, QueryObject>();
    replaceQuery<QueryObject>(prototype, {
      get: (request) => {
        const query = parsed.get(request) ?? parseQueryString(request.querystring, limits);
        parsed.set(request, query);
        return query;
      },
      // A handler may put another object in its place, as with koa's own query.
      set: (request, query) => void parsed.set(request, query),
    });
    return (_ctx, next) => next();
  };
}

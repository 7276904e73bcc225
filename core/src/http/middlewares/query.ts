import { parseQueryString, queryOptions } from "../query-string.js";
import type { MiddlewareFactory, QueryObject } from "../types.js";
import { readOptions } from "./read-options.js";

/** Koa's prototype of the requests of one server; every request inherits from it. */
export interface RequestPrototype {
  readonly querystring: string;
}

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
    Object.defineProperty(prototype, "query", {
      configurable: true,
      get(this: RequestPrototype): QueryObject {
        const query = parsed.get(this) ?? parseQueryString(this.querystring, limits);
        parsed.set(this, query);
        return query;
      },
      /** A handler may put another object in its place, as with koa's own query. */
      set(this: RequestPrototype, query: QueryObject) {
        parsed.set(this, query);
      },
    });
    return (_ctx, next) => next();
  };
}

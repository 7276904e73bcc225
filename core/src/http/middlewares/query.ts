import { defaultQueryLimits, parseQueryString } from "../query-string.js";
import type { HttpContext, MiddlewareFactory, QueryObject } from "../types.js";

/**
 * `plinth::query`: `ctx.query` is the parsed query string, with nested keys and lists. It is parsed when first read,
 * so a request that is refused before pays nothing.
 *
 * Configuration: `{ depth: 20, arrayLimit: 100, parameterLimit: 1000 }`.
 */
export const query: MiddlewareFactory = (config) => {
  const limits = { ...defaultQueryLimits, ...config };
  return (ctx, next) => {
    defineLazyQuery(ctx, () => parseQueryString(ctx.querystring, limits));
    return next();
  };
};

/** A handler may put another object in its place, as with koa's own query. */
function defineLazyQuery(ctx: HttpContext, parse: () => QueryObject): void {
  let parsed: QueryObject | undefined;
  Object.defineProperty(ctx.request, "query", {
    configurable: true,
    enumerable: true,
    get: () => {
      parsed ??= parse();
      return parsed;
    },
    set: (value: QueryObject) => {
      parsed = value;
    },
  });
}

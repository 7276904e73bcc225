import { bodyOptions, BodyReader, readLater, WITH_BODY } from "../body-reader.js";
import type { Router } from "../router.js";
import type { Middleware, MiddlewareFactory, Next } from "../types.js";
import { readOptions } from "./read-options.js";

const readers = new WeakMap<Middleware, BodyReader>();

/** What a `plinth::body` reads with, for requests without a koa context: both have one room for large bodies. */
export const bodyReaderOf = (middleware: Middleware): BodyReader | undefined => readers.get(middleware);

/**
 * `plinth::body`: `ctx.request.body` is the parsed JSON or form; other types leave it undefined. The body of a request
 * that no route answers is not read, so that an unknown path stays a 404 with any body.
 *
 * A large body is read by the endpoint, after authorisation and when there is memory for it: until then, also in global
 * middlewares, `ctx.request.body` is undefined.
 *
 * Configuration: `{ jsonLimit: "1mb", formLimit: "1mb", jsonDepth: 500, largeFrom: "100kb", largeTotal: "32mb" }`.
 *
 * @source plugins/content-api/WIRE.md#order-of-checks
 */
export function createBody(router: Router): MiddlewareFactory {
  return (config) => {
    const reader = new BodyReader(readOptions("plinth::body", config, bodyOptions));
    const middleware: Middleware = async (ctx, next) => {
      const match = WITH_BODY.has(ctx.method) ? router.matchOf(ctx) : undefined;
      if (match?.kind !== "endpoint") return next();
      const { isLarge, read } = reader.plan(ctx.req, match.endpoint.route.bodyLimit);
      const readAnd = (proceed: Next) =>
        read((body) => {
          Object.assign(ctx.request, { body });
          return proceed();
        });
      if (!isLarge) return readAnd(next);
      readLater(ctx, readAnd);
      return next();
    };
    readers.set(middleware, reader);
    return middleware;
  };
}

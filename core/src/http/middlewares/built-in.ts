import { traceRoute } from "../../base/tracing.js";
import { arrivedAt } from "../admission.js";
import { NotFoundError } from "../errors.js";
import { replaceQuery, type RequestPrototype } from "../koa-internals.js";
import { reportRoute } from "../observed-requests.js";
import { answerError } from "../outcome.js";
import { parseQueryString, queryOptions } from "../query-string.js";
import { logAnswer } from "../request-log.js";
import type { Router } from "../router.js";
import type { HttpContext, Middleware, MiddlewareFactory, QueryObject } from "../types.js";
import { createBody } from "./body.js";
import { cors } from "./cors.js";
import { NO_OPTIONS, readOptions } from "./read-options.js";
import { security } from "./security.js";

/** What `config/middlewares` is when an app has none: every built-in middleware, outermost first. */
export const defaultMiddlewares = [
  "plinth::logger",
  "plinth::errors",
  "plinth::security",
  "plinth::cors",
  "plinth::query",
  "plinth::body",
  "plinth::router",
] as const;

/** A built-in middleware's name. */
export type BuiltInName = (typeof defaultMiddlewares)[number];

/** What the built-in middlewares need to know of their server. */
export interface BuiltInOptions {
  readonly prototype: RequestPrototype;
  /** Whether requests have spans. */
  readonly isTraced: boolean;
}

/** The built-in middlewares of one server. */
export function createBuiltIns(
  router: Router,
  { prototype, isTraced }: BuiltInOptions,
): Readonly<Record<BuiltInName, MiddlewareFactory>> {
  return {
    "plinth::logger": logger,
    "plinth::errors": errors,
    "plinth::security": security,
    "plinth::cors": cors,
    "plinth::query": createQuery(prototype),
    "plinth::body": createBody(router),
    "plinth::router": createDispatch(router, isTraced),
  };
}

/**
 * `plinth::errors`: turns what is thrown into the error body, and a missing answer into a 404. What the
 * client must not see goes to the log with the request's id.
 */
const errors: MiddlewareFactory = (config, { app }) => {
  readOptions("plinth::errors", config, NO_OPTIONS);
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && (ctx.body === undefined || ctx.body === null)) throw new NotFoundError({});
    } catch (error) {
      const { status, headers, body } = answerError(app, error, ctx);
      ctx.set(headers);
      ctx.status = status;
      ctx.body = body;
    }
  };
};

/** `plinth::logger`: one line per request, at level info; see RequestFields. */
const logger: MiddlewareFactory = (config, { app }) => {
  readOptions("plinth::logger", config, NO_OPTIONS);
  return async (ctx, next) => {
    if (!app.log.isLevelEnabled("info")) return next();
    const start = arrivedAt(ctx.req);
    await next();
    logAnswer(app, ctx, ctx.status, start);
  };
};

/**
 * `plinth::query`: `ctx.query` is the parsed query string, with nested keys and lists. It is parsed when first read,
 * so a request that is rejected before costs nothing.
 *
 * Configuration: `{ depth: 20, arrayLimit: 100, parameterLimit: 1000 }`.
 *
 * @param prototype - gets the property once; defining it on each request would cost a quarter of the server's rate.
 */
function createQuery(prototype: RequestPrototype): MiddlewareFactory {
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

/**
 * `plinth::router`: hands the request to the endpoint of its route. A known path with another method is a 405, or the
 * list of methods for OPTIONS; an unknown path goes on to the next middleware, and ends as a 404.
 *
 * @source plugins/content-api/WIRE.md#routing-and-headers
 */
function createDispatch(router: Router, isTraced: boolean): MiddlewareFactory {
  const dispatch: Middleware = (ctx, next) => {
    const match = router.matchOf(ctx);
    if (match.kind === "unknown") return next();
    if (match.kind === "other-method") return answerMethods(ctx, match.allow);
    ctx.params = router.paramsForCode(match.params);
    ctx.state.route = match.endpoint.route;
    reportRoute(ctx.res, ctx.state);
    if (isTraced) traceRoute(ctx.method, match.endpoint.route.path);
    return match.endpoint.run(ctx, next);
  };
  return (config) => {
    readOptions("plinth::router", config, NO_OPTIONS);
    return dispatch;
  };
}

function answerMethods(ctx: HttpContext, allow: string): void {
  ctx.set("Allow", allow);
  ctx.status = ctx.method === "OPTIONS" ? 200 : 405;
  ctx.body = ctx.method === "OPTIONS" ? "" : "Method Not Allowed";
}

import type { Router } from "../router.js";
import type { HttpContext, Middleware, MiddlewareFactory } from "../types.js";
import { NO_OPTIONS, readOptions } from "./read-options.js";

/**
 * `plinth::router`: hands the request to the endpoint of its route. A known path with another method is a 405, or the
 * list of methods for OPTIONS; an unknown path goes on to the next middleware, and ends as a 404.
 *
 * @source plugins/content-api/WIRE.md#routing-and-headers
 */
export function createDispatch(router: Router): MiddlewareFactory {
  const dispatch: Middleware = (ctx, next) => {
    const match = router.matchOf(ctx);
    if (match.kind === "unknown") return next();
    if (match.kind === "other-method") return answerMethods(ctx, match.allow);
    ctx.params = match.params;
    ctx.state.route = match.endpoint.route;
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

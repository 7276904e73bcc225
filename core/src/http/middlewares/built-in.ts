import type { RequestPrototype } from "../koa-internals.js";
import type { Router } from "../router.js";
import type { MiddlewareFactory } from "../types.js";
import { createBody } from "./body.js";
import { cors } from "./cors.js";
import { createDispatch } from "./dispatch.js";
import { errors } from "./errors.js";
import { logger } from "./logger.js";
import { createQuery } from "./query.js";
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

/** The built-in middlewares of one server. */
export function createBuiltIns(
  router: Router,
  prototype: RequestPrototype,
): Readonly<Record<BuiltInName, MiddlewareFactory>> {
  return {
    "plinth::logger": logger,
    "plinth::errors": errors,
    "plinth::security": security,
    "plinth::cors": cors,
    "plinth::query": createQuery(prototype),
    "plinth::body": createBody(router),
    "plinth::router": createDispatch(router),
  };
}

import helmet from "koa-helmet";
import type { Middleware, MiddlewareFactory } from "../types.js";

/** `plinth::security`: the security headers of helmet, which its configuration goes to as it is. */
export const security: MiddlewareFactory = (config) => helmet(config) as unknown as Middleware;

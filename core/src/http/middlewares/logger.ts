import { logAnswer } from "../outcome.js";
import type { MiddlewareFactory } from "../types.js";
import { NO_OPTIONS, readOptions } from "./read-options.js";

/** `plinth::logger`: one line per request, at level info: method, path, status, milliseconds, request id. */
export const logger: MiddlewareFactory = (config, { app }) => {
  readOptions("plinth::logger", config, NO_OPTIONS);
  return async (ctx, next) => {
    if (!app.log.isLevelEnabled("info")) return next();
    const start = performance.now();
    await next();
    const { method, path, status, state } = ctx;
    logAnswer(app, { method, path, requestId: state.requestId }, status, start);
  };
};

import { logAnswer } from "../outcome.js";
import type { MiddlewareFactory } from "../types.js";

/** `plinth::logger`: one line per request, at level info: method, path, status, milliseconds, request id. */
export const logger: MiddlewareFactory = (_config, { app }) => {
  return async (ctx, next) => {
    if (!app.log.isLevelEnabled("info")) return next();
    const start = performance.now();
    await next();
    const { method, path, status, state } = ctx;
    logAnswer(app, { method, path, requestId: state.requestId }, status, start);
  };
};

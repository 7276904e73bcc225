import type { MiddlewareFactory } from "../types.js";

/** `plinth::logger`: one line per request, at level info: method, path, status, milliseconds, request id. */
export const logger: MiddlewareFactory = (_config, { app }) => {
  return async (ctx, next) => {
    if (!app.log.isLevelEnabled("info")) return next();
    const start = performance.now();
    await next();
    const ms = Math.round(performance.now() - start);
    const { method, path, status } = ctx;
    app.log.info(
      { method, path, status, ms, requestId: ctx.state.requestId },
      `${method} ${path} ${status} (${ms} ms)`,
    );
  };
};

import { NotFoundError } from "../errors.js";
import { answerError } from "../outcome.js";
import type { MiddlewareFactory } from "../types.js";
import { NO_OPTIONS, readOptions } from "./read-options.js";

/**
 * `plinth::errors`: turns what is thrown into the error body, and a missing answer into a 404. What the
 * client must not see goes to the log with the request's id.
 */
export const errors: MiddlewareFactory = (config, { app }) => {
  readOptions("plinth::errors", config, NO_OPTIONS);
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && (ctx.body === undefined || ctx.body === null)) throw new NotFoundError({});
    } catch (error) {
      const { method, path, state } = ctx;
      const { status, headers, body } = answerError(app, error, { method, path, requestId: state.requestId });
      ctx.set(headers);
      ctx.status = status;
      ctx.body = body;
    }
  };
};

import type Koa from "koa";
import { koaBody } from "koa-body";
import { isPlinthError } from "../../base/error.js";
import { BodyTooLargeError, MalformedBodyError } from "../errors.js";
import { buildQsOptions, defaultQueryLimits, toLimitError } from "../query-string.js";
import type { Router } from "../router.js";
import type { Middleware, MiddlewareFactory } from "../types.js";

/** Limits of one body, in bytes or as `1mb`. */
interface BodyConfig {
  readonly jsonLimit: string | number;
  readonly formLimit: string | number;
}

const defaults: BodyConfig = { jsonLimit: "1mb", formLimit: "1mb" };

/**
 * `plinth::body`: `ctx.request.body` is the parsed JSON or form; other types leave it undefined. The body of a request
 * that no route answers is not read, so that an unknown path stays a 404 whatever is sent.
 *
 * Configuration: `{ jsonLimit: "1mb", formLimit: "1mb" }`.
 *
 * @source wire.md section 1, "Body" and "Order of checks"
 */
export function createBody(router: Router): MiddlewareFactory {
  return (config) => {
    const limits: BodyConfig = { ...defaults, ...config };
    const parse = koaBody({
      ...limits,
      text: false,
      multipart: false,
      patchKoa: true,
      patchNode: false,
      queryString: buildQsOptions(defaultQueryLimits),
      onError: (error) => {
        throw toBodyError(error, limits);
      },
    }) as unknown as (ctx: Koa.Context, next: () => Promise<unknown>) => Promise<unknown>;
    const middleware: Middleware = (ctx, next) =>
      router.matchOf(ctx).kind === "endpoint" ? parse(ctx as unknown as Koa.Context, next) : next();
    return middleware;
  };
}

/** koa-body's errors have a status and no code; what has neither comes from decompression, and is the client's too. */
function toBodyError(error: Error & { status?: number }, limits: BodyConfig): unknown {
  if (isPlinthError(error)) return error;
  const limitError = toLimitError(error, defaultQueryLimits);
  if (limitError !== error) return limitError;
  if (error.status === 413) {
    return new BodyTooLargeError(
      { limit: `${limits.jsonLimit} of JSON, ${limits.formLimit} of a form` },
      { cause: error },
    );
  }
  return error.status === 415 ? error : new MalformedBodyError({ reason: error.message }, { cause: error });
}

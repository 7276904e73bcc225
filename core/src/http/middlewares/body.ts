import { check, type OptionChecks } from "../../base/check-options.js";
import { isPlinthError } from "../../base/error.js";
import { BodyTooDeepError, BodyTooLargeError, MalformedBodyError, UnsupportedEncodingError } from "../errors.js";
import { buildQsOptions, defaultQueryLimits, toLimitError } from "../query-string.js";
import type { Router } from "../router.js";
import type { HttpContext, MiddlewareFactory } from "../types.js";
import { assertOptions } from "./assert-options.js";

/** Limits of one body; sizes in bytes, or as `1mb`. */
interface BodyConfig {
  readonly jsonLimit: string | number;
  readonly formLimit: string | number;
  /** Levels of objects and lists in each other. */
  readonly jsonDepth: number;
}

const defaults: BodyConfig = { jsonLimit: "1mb", formLimit: "1mb", jsonDepth: 500 };

const size = check.either("bytes, or a size such as 1mb", check.whole(1), (value) =>
  typeof value === "string" && /^\d+(\.\d+)?\s*(b|kb|mb|gb)$/i.test(value) ? undefined : "a size",
);

const CHECKS: OptionChecks<BodyConfig> = { jsonLimit: size, formLimit: size, jsonDepth: check.whole(1) };

/** Methods whose requests have a body that means something. */
const WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * `plinth::body`: `ctx.request.body` is the parsed JSON or form; other types leave it undefined. The body of a request
 * that no route answers is not read, so that an unknown path stays a 404 whatever is sent.
 *
 * Configuration: `{ jsonLimit: "1mb", formLimit: "1mb", jsonDepth: 500 }`.
 *
 * @source wire.md section 1, "Body" and "Order of checks"
 */
export function createBody(router: Router): MiddlewareFactory {
  return (config) => {
    assertOptions("plinth::body", config, CHECKS);
    const limits: BodyConfig = { ...defaults, ...config };
    const parse = createParser(limits);
    return async (ctx, next) => {
      if (!WITH_BODY.has(ctx.method) || router.matchOf(ctx).kind !== "endpoint") return next();
      await parse(ctx);
      if (isDeeperThan(ctx.request.body, limits.jsonDepth)) throw new BodyTooDeepError({ max: limits.jsonDepth });
      return next();
    };
  };
}

type Parse = (ctx: HttpContext) => Promise<unknown>;

/** The library is loaded with the first body: it is large, and a server that is only read from never needs it. */
function createParser(limits: BodyConfig): Parse {
  let loading: Promise<Parse> | undefined;
  return async (ctx) => {
    loading ??= loadParser(limits);
    const parse = await loading;
    await parse(ctx);
  };
}

async function loadParser({ jsonLimit, formLimit }: BodyConfig): Promise<Parse> {
  const { koaBody } = await import("koa-body");
  const parse = koaBody({
    jsonLimit,
    formLimit,
    text: false,
    multipart: false,
    patchKoa: true,
    patchNode: false,
    queryString: buildQsOptions(defaultQueryLimits),
    onError: (error, ctx) => {
      throw toBodyError(error, `${jsonLimit} of JSON, ${formLimit} of a form`, ctx.get("Content-Encoding"));
    },
  });
  return (ctx) => parse(ctx as unknown as Parameters<typeof parse>[0], async () => undefined);
}

/** Goes no deeper than it must: what parses without trouble may still be too deep for a walk to its end. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}

/** koa-body's errors have a status and no code; what has neither comes from decompression, and is the client's too. */
function toBodyError(error: Error & { status?: number }, limit: string, encoding: string): unknown {
  const known = toLimitError(error, defaultQueryLimits);
  if (isPlinthError(known)) return known;
  const options = { cause: error };
  if (error.status === 415) return new UnsupportedEncodingError({ encoding }, options);
  if (error.status !== 413) return new MalformedBodyError({ reason: error.message }, options);
  return new BodyTooLargeError({ limit }, options);
}

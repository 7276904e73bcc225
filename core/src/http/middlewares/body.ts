import type * as v from "valibot";
import { isPlinthError } from "../../base/error.js";
import { byteSize, bytesOf, type Size } from "../../base/options/byte-size.js";
import { option, options, whole } from "../../base/options/values.js";
import { BodyRoom } from "../body-room.js";
import { BodyTooDeepError, BodyTooLargeError, MalformedBodyError, UnsupportedEncodingError } from "../errors.js";
import { readLater } from "../late-body.js";
import { buildQsOptions, defaultQueryLimits, toLimitError } from "../query-string.js";
import type { Router } from "../router.js";
import type { HttpContext, MiddlewareFactory, Next } from "../types.js";
import { readOptions } from "./read-options.js";

/** What `plinth::body` is configured with; sizes in bytes, or as `1mb`. */
export const bodyOptions = options({
  jsonLimit: option(byteSize, "Of a body of JSON.", "1mb"),
  formLimit: option(byteSize, "Of a body of a form.", "1mb"),
  jsonDepth: option(whole(1), "Levels of objects and lists in each other.", 500),
  largeFrom: option(
    byteSize,
    "What is larger, or may be because its length is not said or it is compressed, is read after authorisation.",
    "100kb",
  ),
  largeTotal: option(byteSize, "Large bodies that are read and worked on at once, together; the others wait.", "32mb"),
});

/** Limits of bodies; sizes in bytes, or as `1mb`. */
type BodyConfig = v.InferOutput<typeof bodyOptions>;

/** Methods whose requests have a body that means something. */
const WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/**
 * `plinth::body`: `ctx.request.body` is the parsed JSON or form; other types leave it undefined. The body of a request
 * that no route answers is not read, so that an unknown path stays a 404 whatever is sent.
 *
 * A large body is read by the endpoint, when it is known that who sends it may call it, and when there is room: until
 * then `ctx.request.body` is undefined, for global middlewares that is.
 *
 * Configuration: `{ jsonLimit: "1mb", formLimit: "1mb", jsonDepth: 500, largeFrom: "100kb", largeTotal: "32mb" }`.
 *
 * @source plugins/content-api/WIRE.md#request-bodies
 * @source plugins/content-api/WIRE.md#order-of-checks
 */
export function createBody(router: Router): MiddlewareFactory {
  return (config) => {
    const limits = readOptions("plinth::body", config, bodyOptions);
    const room = new BodyRoom(bytesOf(limits.largeTotal));
    const parserOf = rememberParsers(limits);
    const threshold = bytesOf(limits.largeFrom);
    return async (ctx, next) => {
      const match = WITH_BODY.has(ctx.method) ? router.matchOf(ctx) : undefined;
      if (match?.kind !== "endpoint") return next();
      const { bodyLimit } = match.endpoint.route;
      const read = async (proceed: Next) => {
        await parserOf(bodyLimit)(ctx);
        if (isDeeperThan(ctx.request.body, limits.jsonDepth)) throw new BodyTooDeepError({ max: limits.jsonDepth });
        return proceed();
      };
      const bytes = mostBytes(ctx, bytesOf(bodyLimit ?? limits.jsonLimit));
      if (bytes <= threshold || ctx.request.is("multipart/*")) return read(next);
      readLater(ctx, (proceed) => room.run(bytes, () => read(proceed)));
      return next();
    };
  };
}

/** As many bytes as may be read of a body: none of one that says it is too large, else its length, or up to the limit. */
function mostBytes({ request: { length }, headers }: HttpContext, limit: number): number {
  if (headers["transfer-encoding"] === undefined && !length) return 0;
  if (length !== undefined && length > limit) return 0;
  const isPlain = (headers["content-encoding"] ?? "identity") === "identity";
  return isPlain && length !== undefined ? length : limit;
}

type Parse = (ctx: HttpContext) => Promise<unknown>;

/** The parser of each limit that routes have; undefined: of those without one. */
function rememberParsers(limits: BodyConfig): (limit: Size | undefined) => Parse {
  const known = new Map<Size | undefined, Parse>();
  return (limit) => {
    const parse = known.get(limit) ?? createParser(limit === undefined ? limits : sameLimits(limit));
    known.set(limit, parse);
    return parse;
  };
}

type ParserLimits = Pick<BodyConfig, "jsonLimit" | "formLimit">;

const sameLimits = (limit: Size): ParserLimits => ({ jsonLimit: limit, formLimit: limit });

/** The library is loaded with the first body: it is large, and a server that is only read from never needs it. */
function createParser(limits: ParserLimits): Parse {
  let loading: Promise<Parse> | undefined;
  return async (ctx) => {
    loading ??= loadParser(limits);
    const parse = await loading;
    await parse(ctx);
  };
}

async function loadParser({ jsonLimit, formLimit }: ParserLimits): Promise<Parse> {
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

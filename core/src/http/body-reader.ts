import type { IncomingMessage } from "node:http";
import { isPlinthError } from "../base/error.js";
import { isJsonDeeper } from "../base/json-depth.js";
import { byteSize, bytesOf, option, options, type Size, whole } from "../base/options/values.js";
import type * as v from "@plinth/core/valibot";
import {
  BodiesWaitError,
  BodyTooDeepError,
  BodyTooLargeError,
  MalformedBodyError,
  UnsupportedEncodingError,
} from "./errors.js";
import { createBodyContext, isType } from "./koa-internals.js";
import { buildQsOptions, defaultQueryLimits, toLimitError } from "./query-string.js";
import type { HttpContext, Middleware, Next } from "./types.js";

/** What `plinth::body` is configured with; sizes in bytes, or as `1mb`. */
export const bodyOptions = options({
  jsonLimit: option(byteSize, "Of a body of JSON.", "1mb"),
  formLimit: option(byteSize, "Of a body of a form.", "1mb"),
  jsonDepth: option(whole(1), "Levels of objects and lists in each other.", 500),
  largeFrom: option(
    byteSize,
    "Larger bodies, and those of unknown length or with compression, are read after authorisation.",
    "100kb",
  ),
  largeTotal: option(byteSize, "Large bodies that are read and worked on at once, together; the others wait.", "32mb"),
});

/** Limits of bodies; sizes in bytes, or as `1mb`. */
type BodyConfig = v.InferOutput<typeof bodyOptions>;

/** Methods with a request body. */
export const WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** A body that is about to be read. */
export interface PlannedBody {
  /** It has to be read after authorisation. */
  readonly isLarge: boolean;
  /**
   * Reads and parses it; memory for a large one is reserved while `work` runs.
   *
   * @throws PLINTH_HTTP_MALFORMED_BODY, PLINTH_HTTP_BODY_TOO_DEEP (400), PLINTH_HTTP_BODY_TOO_LARGE (413),
   *   PLINTH_HTTP_UNSUPPORTED_ENCODING (415), PLINTH_HTTP_BODIES_WAIT (503)
   */
  read<Result>(work: (body: unknown) => Promise<Result>): Promise<Result>;
}

/**
 * Reads the bodies of requests: JSON and forms; of another type, undefined.
 *
 * @source plugins/content-api/WIRE.md#request-bodies
 */
export class BodyReader {
  readonly #limits: BodyConfig;
  readonly #room: BodyRoom;
  readonly #parserOf: (limit: Size | undefined) => Parse;

  constructor(limits: BodyConfig) {
    this.#limits = limits;
    this.#room = new BodyRoom(bytesOf(limits.largeTotal));
    this.#parserOf = rememberParsers(limits);
  }

  /** @param bodyLimit - of the route, in place of the limits of the configuration. */
  plan(request: IncomingMessage, bodyLimit: Size | undefined): PlannedBody {
    const { jsonLimit, largeFrom } = this.#limits;
    const bytes = mostBytes(request.headers, bytesOf(bodyLimit ?? jsonLimit));
    const isLarge = bytes > bytesOf(largeFrom) && !isType(request, ["multipart/*"]);
    const read: PlannedBody["read"] = async (work) => work(await this.#parserOf(bodyLimit)(request));
    return { isLarge, read: isLarge ? (work) => this.#room.run(bytes, () => read(work)) : read };
  }
}

/** The number of bytes to read of a body: 0 of one that declares too many, else its declared length, or the limit. */
function mostBytes(headers: IncomingMessage["headers"], limit: number): number {
  const length = headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);
  if (headers["transfer-encoding"] === undefined && !length) return 0;
  if (length !== undefined && length > limit) return 0;
  const isPlain = (headers["content-encoding"] ?? "identity") === "identity";
  return isPlain && length !== undefined ? length : limit;
}

type Parse = (request: IncomingMessage) => Promise<unknown>;

/** The parser of each limit that routes have; undefined: of those without one. */
function rememberParsers(limits: BodyConfig): (limit: Size | undefined) => Parse {
  const known = new Map<Size | undefined, Parse>();
  return (limit) => {
    const parse = known.get(limit) ?? createParser(limit === undefined ? limits : withLimit(limits, limit));
    known.set(limit, parse);
    return parse;
  };
}

const withLimit = (limits: BodyConfig, limit: Size): BodyConfig => ({ ...limits, jsonLimit: limit, formLimit: limit });

/** The library is loaded with the first body: it is large, and a server that is only read from never needs it. */
function createParser(limits: BodyConfig): Parse {
  let loading: Promise<Parse> | undefined;
  return async (request) => {
    loading ??= loadParser(limits);
    return (await loading)(request);
  };
}

/** The types of a body of JSON, as koa-body has them. */
const JSON_TYPES = [
  "application/json",
  "application/json-patch+json",
  "application/vnd.api+json",
  "application/csp-report",
  "application/reports+json",
];

/** JSON is read as a text, because it has to be looked at before it is parsed. */
async function loadParser({ jsonLimit, formLimit, jsonDepth }: BodyConfig): Promise<Parse> {
  const [{ koaBody }, { parse: parseSafely }] = await Promise.all([import("koa-body"), import("@hapi/bourne")]);
  const read = koaBody({
    json: false,
    textTypes: JSON_TYPES,
    textLimit: jsonLimit,
    formLimit,
    multipart: false,
    patchKoa: true,
    patchNode: false,
    queryString: buildQsOptions(defaultQueryLimits),
    onError: (error, { req }) => {
      const encoding = req.headers["content-encoding"] ?? "";
      throw toBodyError(error, `${jsonLimit} of JSON, ${formLimit} of a form`, encoding);
    },
  });
  return async (req) => {
    const context = createBodyContext(req);
    await read(context as unknown as Parameters<typeof read>[0], async () => undefined);
    const { body } = context.request;
    return typeof body === "string" ? parseJson(body, jsonDepth, parseSafely) : body;
  };
}

/**
 * An object or a list; no text at all is an empty object.
 *
 * @param parse - refuses a key `__proto__`.
 * @throws PLINTH_HTTP_BODY_TOO_DEEP, PLINTH_HTTP_MALFORMED_BODY (400)
 */
function parseJson(text: string, levels: number, parse: (text: string) => unknown): unknown {
  if (text === "") return {};
  if (isJsonDeeper(text, levels)) throw new BodyTooDeepError({ max: levels });
  if (!STRUCTURE.test(text)) throw new MalformedBodyError({ reason: "invalid JSON, only supports object and array" });
  try {
    return parse(text);
  } catch (error) {
    throw new MalformedBodyError({ reason: (error as Error).message }, { cause: error });
  }
}

/** The beginning of an object or a list. */
const STRUCTURE = /^[ \t\n\r]*[[{]/;

/**
 * koa-body's errors have a status and no code; an error with neither is of decompression, and also the client's fault.
 */
function toBodyError(error: Error & { status?: number }, limit: string, encoding: string): unknown {
  const known = toLimitError(error, defaultQueryLimits);
  if (isPlinthError(known)) return known;
  const options = { cause: error };
  if (error.status === 415) return new UnsupportedEncodingError({ encoding }, options);
  if (error.status !== 413) return new MalformedBodyError({ reason: error.message }, options);
  return new BodyTooLargeError({ limit }, options);
}

/** Reads a body, and keeps room for it while `proceed` runs. */
type Read = (proceed: Next) => Promise<unknown>;

const late = new WeakMap<HttpContext, Read>();

/** Leaves the body of a request unread until its endpoint has authorised the caller. */
export function readLater(ctx: HttpContext, read: Read): void {
  late.set(ctx, read);
}

/** The step of an endpoint that reads such a body: after authorisation, before policies. */
export const readLateBody: Middleware = (ctx, next) => late.get(ctx)?.(next) ?? next();

/** Milliseconds that a body may wait for memory. */
const MAX_WAIT = 10_000;

interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

/** Limits the bytes of large bodies that are read and processed at once; further ones wait in order. */
class BodyRoom {
  #taken = 0;
  #waiting: readonly Waiting[] = [];

  /** @param total - in bytes. */
  constructor(private readonly total: number) {}

  /**
   * Runs `work` once there is memory for a body. One that is larger than the whole limit runs alone.
   *
   * @throws PLINTH_HTTP_BODIES_WAIT (503) when there is none within 10 seconds
   */
  async run<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    const needed = Math.min(bytes, this.total);
    if (this.#waiting.length > 0 || !this.#fits(needed)) await this.#enter(needed);
    else this.#taken += needed;
    try {
      return await work();
    } finally {
      this.#taken -= needed;
      this.#admit();
    }
  }

  #fits(bytes: number): boolean {
    return this.#taken + bytes <= this.total;
  }

  #enter(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        bytes,
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(new BodiesWaitError({ total: this.total, waited: MAX_WAIT }));
        this.#admit();
      }, MAX_WAIT);
      this.#waiting = [...this.#waiting, waiting];
    });
  }

  #admit(): void {
    for (let [next] = this.#waiting; next && this.#fits(next.bytes); [next] = this.#waiting) {
      this.#waiting = this.#waiting.slice(1);
      this.#taken += next.bytes;
      next.enter();
    }
  }
}

import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { ReadPoint } from "../database/driver/position.js";
import type { ReadSource } from "../database/reads/read.js";
import { pointOfContext } from "./consistency.js";
import type { Actor } from "../access/ability.js";
import type { Handler, HttpContext, QueryObject, RequestState } from "./types.js";

/** What an endpoint knows of its request: nothing that depends on a middleware. */
export interface RequestInfo {
  readonly method: string;
  readonly path: string;
  /** As it was sent: the path and the query string. */
  readonly url: string;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** Parsed when first read. @throws PLINTH_HTTP_QUERY_LIMIT, PLINTH_HTTP_FORBIDDEN_KEY (400) */
  readonly query: Readonly<QueryObject>;
  readonly headers: IncomingHttpHeaders;
  /** Of the client, by `server.proxy`; empty once it has gone. */
  readonly ip: string;
  /** The parsed body; undefined where the request has none. */
  readonly body: unknown;
  readonly actor: Actor;
  /** What reads for this request have to see, for `read` of documents; undefined: they ask the primary. */
  readonly from: ReadPoint | undefined;
  /**
   * Whether what the endpoint answers is what the client gets. False where code of an app called it, such as a controller
   * that extends it, or a policy or a middleware of the route may still change it.
   */
  readonly isAnswered: boolean;
  /**
   * Identifies the caller again, as `actor`, and authorises them; for answers that stay open. Undefined where
   * `isAnswered` is false. @throws as before the endpoint: PLINTH_ACCESS_UNAUTHENTICATED (401), PLINTH_ACCESS_FORBIDDEN (403)
   */
  identify?(): Promise<void>;
  /** The same object as that of `context`. */
  readonly state: RequestState;
  /**
   * The koa context of the request, for code of apps that an endpoint calls: made when it is first read, where no
   * middleware needed one. Headers, cookies and the status that are set on it are part of the answer, unless the
   * endpoint answers with others.
   */
  readonly context: HttpContext;
  /** Aborted when the client goes away before it is answered. */
  readonly signal: AbortSignal;
}

/** What an endpoint answers. */
export interface EndpointAnswer {
  readonly status: number;
  /**
   * Sent as JSON, and one with a JSON text of its own as that; undefined: no body. A string is sent as it is, as JSON
   * unless `headers` have another content-type; bytes and streams as well, and theirs has to be there.
   */
  readonly body?: unknown;
  /** Replace those that the middlewares set, but for `vary`, which is said beside theirs; names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of the one document that the body shows, for the ETag; see documentVersion. */
  readonly version?: string;
  /** What the body was read from; where that decides it, the answer gets an ETag by its text. */
  readonly source?: ReadSource | undefined;
  /** The stamp of the source just before it was read. */
  readonly stamp?: string | undefined;
  /** False: it gets no ETag for its source; its version gives it one all the same. */
  readonly isTagged?: boolean;
  /** The ETag, where it is known already. */
  readonly tag?: string;
  /** Whether nothing was written, although the method is that of writes. */
  readonly isRead?: boolean;
}

/** Answers a request. What it throws becomes the error body. */
export type Endpoint = (request: RequestInfo) => Promise<EndpointAnswer>;

/** What koa makes of an answer with a body; one without stays a 404. */
const OK = 200;

const ENDPOINT = Symbol("plinth.endpoint");

/** An endpoint as a handler holds it. */
export interface BuiltEndpoint {
  readonly endpoint: Endpoint;
  /** Whether code that it calls on GET may ask for the origin of the request, or its caller. */
  readonly asksOrigin: boolean;
}

/**
 * The handler of an endpoint. Where no policy or middleware needs a koa context, the endpoint is called without one;
 * the handler is for all other requests, and for controllers that extend it: it sets the status and returns the body.
 *
 * @param asksOrigin - false: neither `currentOrigin` nor `visibility: "caller"` is used where it answers GET, so that it need
 * not be known there.
 */
export function handlerOf(endpoint: Endpoint, { asksOrigin = true }: Partial<BuiltEndpoint> = {}): Handler {
  const handler: Handler = async (ctx) => {
    const { status, body, headers, version, source, isTagged, isRead } = await endpoint(requestOf(ctx));
    if (isRead) ctx.state.isRead = true;
    if (version !== undefined) ctx.state.version = version;
    if (source !== undefined && isTagged !== false) ctx.state.source = source;
    if (headers) setHeaders(ctx, headers);
    if (status !== OK) ctx.status = status;
    return body;
  };
  const built: BuiltEndpoint = { endpoint, asksOrigin };
  return Object.assign(handler, { [ENDPOINT]: built });
}

function setHeaders(ctx: HttpContext, { vary, ...others }: Readonly<Record<string, string>>): void {
  ctx.set(others);
  if (vary !== undefined) ctx.vary(vary);
}

/** The endpoint that handlerOf made a handler of; undefined for other handlers. */
export function endpointOf(handler: Handler): BuiltEndpoint | undefined {
  return (handler as { readonly [ENDPOINT]?: BuiltEndpoint })[ENDPOINT];
}

function requestOf(ctx: HttpContext): RequestInfo {
  const { method, path, url, params, headers, state } = ctx;
  return {
    ...{ method, path, url, params, headers, state, actor: state.actor, body: ctx.request.body, context: ctx },
    isAnswered: false,
    get query() {
      return ctx.query;
    },
    get ip() {
      return ctx.ip;
    },
    get from() {
      return pointOfContext(ctx);
    },
    get signal() {
      return signalOf(ctx.res);
    },
  };
}

/** Whether a body is sent as it comes. */
export function isStream(body: unknown): body is Readable {
  return body instanceof Readable;
}

const aborts = new WeakMap<object, AbortController>();

/** Aborted when the client has gone. */
export function signalOf(response: HttpContext["res"]): AbortSignal {
  const known = aborts.get(response);
  if (known) return known.signal;
  const controller = new AbortController();
  aborts.set(response, controller);
  response.once("close", () => {
    if (!response.writableEnded) controller.abort();
  });
  return controller.signal;
}

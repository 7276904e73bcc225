import type { IncomingHttpHeaders } from "node:http";
import type { Actor } from "../access/ability.js";
import type { Handler, HttpContext, QueryObject } from "./types.js";

/** What an endpoint knows of its request: nothing that depends on a middleware. */
export interface RequestInfo {
  readonly method: string;
  readonly path: string;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** Parsed when first read. @throws PLINTH_HTTP_QUERY_LIMIT, PLINTH_HTTP_FORBIDDEN_KEY (400) */
  readonly query: Readonly<QueryObject>;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body; undefined where the request has none. */
  readonly body: unknown;
  readonly actor: Actor;
  /** Aborted when the client goes away before it is answered. */
  readonly signal: AbortSignal;
}

/** What an endpoint answers. */
export interface EndpointAnswer {
  readonly status: number;
  /** Sent as JSON, and one with a JSON text of its own as that; undefined: no body. */
  readonly body?: unknown;
  /** Of the one document that the body shows, for the ETag; see documentVersion. */
  readonly version?: string;
}

/** Answers a request. What it throws becomes the error body. */
export type Endpoint = (request: RequestInfo) => Promise<EndpointAnswer>;

/** What koa makes of an answer with a body; one without stays a 404. */
const OK = 200;

const ENDPOINT = Symbol("plinth.endpoint");

/**
 * The handler of an endpoint. Where no policy or middleware needs a koa context, the endpoint is called without one;
 * the handler is for all other requests, and for controllers that extend it: it sets the status and returns the body.
 */
export function handlerOf(endpoint: Endpoint): Handler {
  const handler: Handler = async (ctx) => {
    const { status, body, version } = await endpoint(requestOf(ctx));
    if (version !== undefined) ctx.state.version = version;
    if (status !== OK) ctx.status = status;
    return body;
  };
  return Object.assign(handler, { [ENDPOINT]: endpoint });
}

/** The endpoint that handlerOf made a handler of; undefined for other handlers. */
export function endpointOf(handler: Handler): Endpoint | undefined {
  return (handler as { readonly [ENDPOINT]?: Endpoint })[ENDPOINT];
}

function requestOf(ctx: HttpContext): RequestInfo {
  const { method, path, params, headers, state } = ctx;
  return {
    ...{ method, path, params, headers, actor: state.actor, body: ctx.request.body },
    get query() {
      return ctx.query;
    },
    get signal() {
      return signalOf(ctx.res);
    },
  };
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

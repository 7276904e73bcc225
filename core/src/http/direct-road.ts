import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { Socket } from "node:net";
import Koa from "koa";
import { type Access, assertCan } from "../access/access.js";
import type { App } from "../kernel/app.js";
import type { DirectAnswer, DirectEndpoint, DirectRequest } from "./direct-read.js";
import { hashBody, isKnownTag } from "./entity-tag.js";
import { answerError, logAnswer } from "./outcome.js";
import { parseQueryString, type QueryLimits } from "./query-string.js";
import { requestIdOf } from "./request-frame.js";
import type { Router } from "./router.js";
import type { Middleware } from "./types.js";

/** What the road is made of. */
export interface DirectRoadSources {
  readonly app: App;
  readonly access: Access;
  readonly router: Router;
  readonly limits: QueryLimits;
  /** The built-in middlewares that do no more than set headers, which are the same for all requests without an Origin. */
  readonly framing: readonly Middleware[];
  /** Answers what this road leaves. */
  readonly otherwise: RequestListener;
}

/**
 * The short road of a read, for requests that only built-in parts would see: no context is made, no middleware runs,
 * and the headers that those would set are known beforehand. Koa's road answers everything else, and would answer the
 * same, byte for byte.
 *
 * @source core/decisions/0014-reads-without-koa.md, an empty koa handler has 0.65 of the rate of bare node:http
 */
export async function createDirectRoad(sources: DirectRoadSources): Promise<RequestListener> {
  const road = new DirectRoad(sources, await rehearse(sources.framing));
  return (request, response) => {
    const asked = readRequest(request, sources.router);
    if (asked) void road.answer(asked, request, response);
    else sources.otherwise(request, response);
  };
}

interface Asked {
  readonly endpoint: DirectEndpoint;
  readonly params: Readonly<Record<string, string>>;
  readonly path: string;
  readonly querystring: string;
}

/** Undefined for what has to go koa's road: another method or form of URL, an origin, a body, an endpoint that is not direct. */
function readRequest({ method, url = "", headers }: IncomingMessage, router: Router): Asked | undefined {
  if (method !== "GET" || !url.startsWith("/") || url.includes("#") || headers.origin !== undefined) return undefined;
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) return undefined;
  const end = url.indexOf("?");
  const path = end < 0 ? url : url.slice(0, end);
  // A parameter that cannot be decoded is an error.
  if (path.includes("%")) return undefined;
  const match = router.match("GET", path);
  if (match.kind !== "endpoint" || !match.endpoint.direct) return undefined;
  const querystring = end < 0 ? "" : url.slice(end + 1);
  return { endpoint: match.endpoint.direct, params: match.params, path, querystring };
}

/** The headers that middlewares give every answer, as names and values in turns. */
async function rehearse(framing: readonly Middleware[]): Promise<readonly string[]> {
  const koa = new Koa();
  for (const middleware of framing) koa.use(middleware as unknown as Koa.Middleware);
  koa.use((ctx) => {
    ctx.status = 204;
  });
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: "GET", url: "/", headers: {} });
  const response = new ServerResponse(request);
  await koa.callback()(request, response);
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}

/** What is sent. */
interface Outcome {
  readonly status: number;
  /** Undefined: no body. */
  readonly text: string | undefined;
  readonly tag?: string;
  /** Beside those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

class DirectRoad {
  constructor(
    private readonly sources: DirectRoadSources,
    private readonly headers: readonly string[],
  ) {}

  async answer(asked: Asked, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const start = performance.now();
    const { app, otherwise } = this.sources;
    const requestId = requestIdOf(request.headers["x-request-id"]);
    const frame = { method: "GET", path: asked.path, requestId };
    let outcome: Outcome;
    try {
      const found = await this.#read(asked, request);
      if (!found) {
        otherwise(request, response);
        return;
      }
      outcome = outcomeOf(found, request.headers["if-none-match"]);
    } catch (error) {
      const { status, headers, body } = answerError(app, error, frame);
      outcome = { status, text: JSON.stringify(body), headers };
    }
    this.#send(response, outcome, requestId);
    logAnswer(app, frame, outcome.status, start);
  }

  async #read(
    { endpoint, params, querystring }: Asked,
    { headers }: IncomingMessage,
  ): Promise<DirectAnswer | undefined> {
    const { access, limits } = this.sources;
    const { read, scope } = endpoint;
    const actor = await access.authenticate(scope && headers.authorization);
    if (scope) assertCan(actor.ability, scope);
    const parseQuery = () => parseQueryString(querystring, limits);
    const request: DirectRequest = { params, querystring, headers, actor, parseQuery };
    return read(request);
  }

  #send(response: ServerResponse, { status, text, tag, headers: own }: Outcome, requestId: string): void {
    const headers = ["X-Request-Id", requestId, ...this.headers];
    if (tag !== undefined) headers.push("ETag", tag);
    if (own) headers.push(...Object.entries(own).flat());
    if (text === undefined) {
      response.writeHead(status, headers).end();
      return;
    }
    const length = Buffer.byteLength(text);
    headers.push("Content-Type", "application/json; charset=utf-8", "Content-Length", String(length));
    response.writeHead(status, headers);
    // Text of ASCII only goes out as it is; any other is encoded once, which writing it as text would not do.
    if (length === text.length) response.end(text, "latin1");
    else response.end(Buffer.from(text));
  }
}

function outcomeOf({ text, version }: DirectAnswer, ifNoneMatch: string | undefined): Outcome {
  if (version === undefined) return { status: 200, text };
  const hash = hashBody(text);
  const tag = `"${version}-${hash}"`;
  return isKnownTag(ifNoneMatch ?? "", hash) ? { status: 304, text: undefined, tag } : { status: 200, text, tag };
}

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type Access, assertCan } from "../access/access.js";
import type { App } from "../kernel/app.js";
import type { Size } from "../base/options/byte-size.js";
import { WITH_BODY } from "./body-reader.js";
import type { PlainEndpoint } from "./endpoint.js";
import { hashBody, isKnownTag } from "./entity-tag.js";
import { StaticHeaders } from "./static-headers.js";
import { hasJsonText, jsonText } from "./json-text.js";
import { answerError, logAnswer } from "./outcome.js";
import type { StaticMiddlewares } from "./static-middlewares.js";
import { QueryCache } from "./query-cache.js";
import { requestIdOf } from "./outer-middleware.js";
import { type EndpointAnswer, type RequestInfo, signalOf } from "./request-info.js";
import type { Router } from "./router.js";

/** What requests are answered with. */
export interface PlainRequestsSources {
  readonly app: App;
  readonly access: Access;
  readonly router: Router;
  readonly middlewares: StaticMiddlewares;
  /** Answers what needs a koa context. */
  readonly fallback: RequestListener;
}

/**
 * Answers requests of endpoints without a koa context, where none is needed: the global middlewares are the built-in
 * ones, configured by data, and the route has no policy, no middleware, and a handler that handlerOf made.
 *
 * @source core/decisions/0014-reads-without-koa.md, an empty koa handler has 0.65 of the rate of bare node:http
 */
export function createPlainRequests({
  app,
  access,
  router,
  middlewares,
  fallback,
}: PlainRequestsSources): RequestListener {
  const headers = new StaticHeaders(middlewares.headerMiddlewares);
  const queries = new QueryCache(middlewares.limits);

  async function answer(target: Target, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const start = performance.now();
    const requestId = requestIdOf(request.headers["x-request-id"]);
    const { method = "GET" } = request;
    const name = { method, path: target.path, requestId };
    let outcome: Outcome;
    try {
      outcome = outcomeOf(await run(target, request, response), request);
    } catch (error) {
      const { status, headers: own, body } = answerError(app, error, name);
      outcome = { status, text: JSON.stringify(body), headers: own };
    }
    const fixed = headers.of(request.headers.origin ?? "");
    send(response, outcome, ["X-Request-Id", requestId, ...(fixed instanceof Promise ? await fixed : fixed)]);
    logAnswer(app, name, outcome.status, start);
  }

  async function run(target: Target, request: IncomingMessage, response: ServerResponse): Promise<EndpointAnswer> {
    const { endpoint, scope } = target.plain;
    const authorise = async () => {
      const actor = await access.authenticate(scope && request.headers.authorization);
      if (scope) assertCan(actor.ability, scope);
      return actor;
    };
    const sources = { target, request, response, queries };
    if (!WITH_BODY.has(request.method ?? "")) return endpoint(new PlainRequest(sources, await authorise(), undefined));
    const { isLarge, read } = middlewares.bodies.plan(request, target.bodyLimit);
    if (!isLarge) return read(async (body) => endpoint(new PlainRequest(sources, await authorise(), body)));
    const actor = await authorise();
    return read((body) => endpoint(new PlainRequest(sources, actor, body)));
  }

  return (request, response) => {
    const target = targetOf(request, router);
    if (target) void answer(target, request, response);
    else fallback(request, response);
  };
}

/** What a request leads to. */
interface Target {
  readonly plain: PlainEndpoint;
  readonly bodyLimit: Size | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly path: string;
  readonly querystring: string;
}

/**
 * Undefined for requests that koa answers: another form of URL, a body without meaning, an endpoint that is not plain.
 */
function targetOf({ method = "", url = "", headers }: IncomingMessage, router: Router): Target | undefined {
  if (!url.startsWith("/") || url.includes("#")) return undefined;
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  if (hasBody && !WITH_BODY.has(method)) return undefined;
  const end = url.indexOf("?");
  const path = end < 0 ? url : url.slice(0, end);
  // A parameter that cannot be decoded is an error.
  if (path.includes("%")) return undefined;
  const match = router.match(method, path);
  if (match.kind !== "endpoint" || !match.endpoint.plain) return undefined;
  const querystring = end < 0 ? "" : url.slice(end + 1);
  const { plain, route } = match.endpoint;
  return { plain, bodyLimit: route.bodyLimit, params: match.params, path, querystring };
}

interface PlainRequestSources {
  readonly target: Target;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly queries: QueryCache;
}

/** A request that no middleware has seen. */
class PlainRequest implements RequestInfo {
  readonly #sources: PlainRequestSources;

  constructor(
    sources: PlainRequestSources,
    readonly actor: RequestInfo["actor"],
    readonly body: unknown,
  ) {
    this.#sources = sources;
  }

  get method() {
    return this.#sources.request.method ?? "GET";
  }

  get path() {
    return this.#sources.target.path;
  }

  get params() {
    return this.#sources.target.params;
  }

  get headers() {
    return this.#sources.request.headers;
  }

  get query() {
    return this.#sources.queries.parse(this.#sources.target.querystring);
  }

  get signal() {
    return signalOf(this.#sources.response);
  }
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

function outcomeOf({ status, body, version }: EndpointAnswer, { method, headers }: IncomingMessage): Outcome {
  if (body === undefined) return { status, text: undefined };
  const text = hasJsonText(body) ? body[jsonText]() : JSON.stringify(body);
  if (version === undefined) return { status, text };
  const hash = hashBody(text);
  const tag = `"${version}-${hash}"`;
  const isKnown = (method === "GET" || method === "HEAD") && isKnownTag(headers["if-none-match"] ?? "", hash);
  return isKnown ? { status: 304, text: undefined, tag } : { status, text, tag };
}

function send(response: ServerResponse, { status, text, tag, headers: own }: Outcome, headers: string[]): void {
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

import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from "node:http";
import { pipeline, type Readable } from "node:stream";
import type Koa from "koa";
import { type Access, assertCan } from "../access/access.js";
import { withOrigin } from "../access/origin.js";
import { traceRoute } from "../base/tracing.js";
import type { App } from "../kernel/app.js";
import { arrivedAt } from "./admission.js";
import { WITH_BODY } from "./body-reader.js";
import type { Consistency } from "./consistency.js";
import { identify, type PlainEndpoint } from "./endpoint.js";
import { hashBody, isKnownTag, requestIdOf, tagOf, textOf } from "./answer-body.js";
import { StaticHeaders, type StaticMiddlewares } from "./static-headers.js";
import { clientAddress, createContext } from "./koa-internals.js";
import type { MatchedRoute } from "./route-description.js";
import { reportRoute } from "./observed-requests.js";
import { answerError } from "./outcome.js";
import { type LoggedRequest, logAnswer, originOf } from "./request-log.js";
import { QueryCache } from "./query-string.js";
import { type EndpointAnswer, isStream, type RequestInfo, signalOf } from "./request-info.js";
import type { Router } from "./router.js";
import type { HttpContext, RequestState } from "./types.js";
import type { AnswerRoom } from "./answer-room.js";
import { createState, type NewState } from "./strapi-context.js";

/** What requests are answered with. */
export interface PlainRequestsSources {
  readonly app: App;
  readonly access: Access;
  readonly router: Router;
  /** Makes the contexts that endpoints ask for. */
  readonly koa: Koa;
  readonly middlewares: StaticMiddlewares;
  /** Undefined without replicas. */
  readonly consistency: Consistency | undefined;
  readonly room: AnswerRoom;
  /** Whether requests have spans. */
  readonly isTraced: boolean;
  /** Whether hooks may ask for the origin of any GET; see HttpServerOptions. */
  readonly readsRunCode: boolean;
  /** Answers what needs a koa context. */
  readonly fallback: RequestListener;
}

/**
 * Answers requests of endpoints without a koa context, where none is needed: the global middlewares are the built-in
 * ones, configured by data, and the route has no policy, no middleware, and a handler that handlerOf made.
 *
 * @source core/decisions/0014-reads-without-koa.md, an empty koa handler has 0.65 of the rate of bare node:http
 */
export function createPlainRequests(sources: PlainRequestsSources): RequestListener {
  const { app, router, koa, middlewares, consistency, isTraced, readsRunCode, fallback } = sources;
  const staticHeaders = new StaticHeaders(middlewares.headerMiddlewares);
  const queries = new QueryCache(middlewares.limits);

  async function answer(target: Target, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const start = arrivedAt(request);
    const requestId = requestIdOf(request.headers["x-request-id"]);
    const { method = "GET", url = "/" } = request;
    const state = createState(requestId, target.route);
    reportRoute(response, state);
    if (isTraced) traceRoute(method, target.route.path);
    const logged: LoggedRequest = { method, path: target.path, url, headers: request.headers, state };
    const known = staticHeaders.of(request.headers.origin ?? "");
    const headers = ["X-Request-Id", requestId, ...(known instanceof Promise ? await known : known)];
    const exchange: Exchange = { target, request, response, state, headers, queries, sources, hasContext: false };
    let outcome: Outcome;
    try {
      const asksOrigin = readsRunCode || target.plain.asksOrigin || !isRead(method);
      outcome = outcomeOf(await (asksOrigin ? runFrom(exchange, logged) : run(exchange)), request);
      assertRoom(sources.room, outcome, method);
    } catch (error) {
      const failed = Object.assign(logged, { ip: clientAddress(koa, request), params: target.params });
      const { status, headers: own, body } = answerError(app, error, failed);
      outcome = { status, body: JSON.stringify(body), headers: own };
    }
    if (consistency) headers.push(...consistency.headersOf(method, outcome.isRead));
    send(exchange, outcome);
    logAnswer(app, logged, response.statusCode, start);
  }

  return (request, response) => {
    const target = targetOf(request, router);
    if (!target) return fallback(request, response);
    void answer(target, request, response);
  };
}

const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/** The same as `run`; what is written meanwhile comes from the request. */
function runFrom(exchange: Exchange, logged: LoggedRequest): Promise<EndpointAnswer> {
  return withOrigin(
    () => originOf(Object.assign(logged, { ip: clientAddress(exchange.sources.koa, exchange.request) })),
    () => run(exchange),
  );
}

/** Identifies the caller, reads the body where there is one, and asks the endpoint. */
async function run(exchange: Exchange): Promise<EndpointAnswer> {
  const { target, request, sources } = exchange;
  const { endpoint } = target.plain;
  if (!WITH_BODY.has(request.method ?? "")) {
    await authorise(exchange);
    return endpoint(new PlainRequest(exchange, undefined));
  }
  const { isLarge, read } = sources.middlewares.bodies.plan(request, target.route.bodyLimit);
  if (isLarge) await authorise(exchange);
  return read(async (body) => {
    if (!isLarge) await authorise(exchange);
    return endpoint(new PlainRequest(exchange, body));
  });
}

async function authorise({ target, request, state, sources }: Exchange): Promise<void> {
  const { actor, scope } = await identify(sources.access, target.plain.admission, request.headers.authorization);
  state.actor = actor;
  assertCan(actor.ability, scope);
}

/** What a request leads to. */
interface Target {
  readonly plain: PlainEndpoint;
  readonly route: MatchedRoute;
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
  return { plain, route, params: match.params, path, querystring };
}

/** The state of a request; the actor is there once the caller is identified, so before an endpoint. */
/** A request that is being answered. */
interface Exchange {
  readonly target: Target;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly state: NewState;
  /** Names and values in turns, of every answer; they are on the response once there is a context. */
  readonly headers: string[];
  readonly queries: QueryCache;
  readonly sources: PlainRequestsSources;
  hasContext: boolean;
}

/** A request that no middleware has seen. */
class PlainRequest implements RequestInfo {
  readonly #exchange: Exchange;
  #context: HttpContext | undefined;

  constructor(
    exchange: Exchange,
    readonly body: unknown,
  ) {
    this.#exchange = exchange;
  }

  get isAnswered() {
    return true;
  }

  identify() {
    return authorise(this.#exchange);
  }

  get state() {
    return this.#exchange.state as RequestState;
  }

  get actor() {
    return this.state.actor;
  }

  get method() {
    return this.#exchange.request.method ?? "GET";
  }

  get path() {
    return this.#exchange.target.path;
  }

  get url() {
    return this.#exchange.request.url ?? "/";
  }

  get params() {
    return this.#exchange.target.params;
  }

  get headers() {
    return this.#exchange.request.headers;
  }

  get ip() {
    return clientAddress(this.#exchange.sources.koa, this.#exchange.request);
  }

  get query() {
    return this.#exchange.queries.parse(this.#exchange.target.querystring);
  }

  get from() {
    const { sources, request } = this.#exchange;
    return sources.consistency?.pointOf(request.headers, this.actor);
  }

  get context() {
    this.#context ??= contextOf(this.#exchange, this);
    return this.#context;
  }

  get signal() {
    return signalOf(this.#exchange.response);
  }
}

/** The context that the built-in middlewares would have left to a handler. */
function contextOf(exchange: Exchange, { state, body, params }: RequestInfo): HttpContext {
  const { sources, request, response, headers } = exchange;
  exchange.hasContext = true;
  for (let i = 0; i < headers.length; i += 2) response.setHeader(headers[i] as string, headers[i + 1] as string);
  const context = createContext(sources.koa, request, response);
  Object.assign(context.request, { body });
  return Object.assign(context, { state, params: sources.router.paramsForCode(params) }) as unknown as HttpContext;
}

const OK = 200;

/** What is sent. */
interface Outcome {
  readonly status: number;
  /** Undefined: no body. */
  readonly body: string | Buffer | Readable | undefined;
  readonly tag?: string | undefined;
  /** In place of those of every answer; names in lower case. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly isRead?: boolean | undefined;
}

/** Whether an answer without a version gets a tag. */
const isTagged = ({ source, isTagged: wish = true }: EndpointAnswer): boolean => wish && source?.decides === true;

function outcomeOf(answer: EndpointAnswer, { method, headers: sent }: IncomingMessage): Outcome {
  const { status, body, headers, version, tag: known, isRead } = answer;
  if (body === undefined || isStream(body) || Buffer.isBuffer(body))
    return { status, body, tag: known, headers, isRead };
  const text = textOf(body);
  if (known !== undefined || (version === undefined && !isTagged(answer)))
    return { status, body: text, tag: known, headers, isRead };
  const hash = hashBody(text);
  const tag = tagOf(version, hash);
  const isKnown = (method === "GET" || method === "HEAD") && isKnownTag(sent["if-none-match"] ?? "", hash);
  return isKnown ? { status: 304, body: undefined, tag, headers } : { status, body: text, tag, headers };
}

/** @throws PLINTH_HTTP_ANSWERS_WAIT (503) for what was read */
function assertRoom(room: AnswerRoom, { body, isRead }: Outcome, method: string): void {
  const refusal = typeof body === "string" && (isRead || method === "GET") ? room.refusal(body) : undefined;
  if (refusal) throw refusal;
}

function send(exchange: Exchange, { status, body, tag, headers: own }: Outcome): void {
  const { response, sources } = exchange;
  const headers = headersOf(exchange, own);
  if (tag !== undefined) headers.push("ETag", tag);
  if (typeof body === "string") {
    if (own?.["content-type"] === undefined) headers.push("Content-Type", "application/json; charset=utf-8");
    sources.room.add(response, sendText(response, status, headers, body));
    return;
  }
  if (Buffer.isBuffer(body)) {
    headers.push("Content-Length", String(body.length));
    writeHead(response, status, headers);
    response.end(body);
    return;
  }
  writeHead(response, status, headers);
  if (!body) response.end();
  else
    pipeline(body, response, (err) => {
      if (err && err.code !== CLIENT_HAS_GONE) sources.app.log.warn({ err }, "An answer could not be sent");
    });
}

/** @source https://nodejs.org/api/errors.html#err_stream_premature_close */
const CLIENT_HAS_GONE = "ERR_STREAM_PREMATURE_CLOSE";

/** What an answer depends on, for caches: the middlewares and the endpoint each say their part. */
const VARY = "vary";

/** Names and values of an answer's headers, but for those that a context has set already. */
function headersOf({ headers, hasContext, response }: Exchange, own: Outcome["headers"]): string[] {
  if (!own) return hasContext ? [] : headers;
  const all: string[] = [];
  for (let i = 0; i < headers.length && !hasContext; i += 2)
    if (!((headers[i] as string) in own) || headers[i] === VARY)
      all.push(headers[i] as string, headers[i + 1] as string);
  for (const name in own) all.push(name, own[name] as string);
  const theirs = hasContext && VARY in own ? response.getHeader(VARY) : undefined;
  if (theirs !== undefined) all.push(VARY, String(theirs));
  return all;
}

/** @returns bytes of the text */
function sendText(response: ServerResponse, status: number, headers: string[], text: string): number {
  const length = Buffer.byteLength(text);
  headers.push("Content-Length", String(length));
  writeHead(response, status, headers);
  // Text of ASCII only goes out as it is; any other is encoded once, which writing it as text would not do.
  if (length === text.length) response.end(text, "latin1");
  else response.end(Buffer.from(text));
  return length;
}

/** A status that was set on the context counts where the endpoint has no other, as with koa. */
function writeHead(response: ServerResponse, status: number, headers: readonly string[]): void {
  const code = status === OK ? response.statusCode : status;
  response.writeHead(code, STATUS_CODES[code], headers as string[]);
}

import type { IncomingHttpHeaders } from "node:http";
import type { Logger } from "pino";
import { nameActor, REQUEST, type WriteActor, type WriteOrigin } from "../access/origin.js";
import { tracePlace } from "../base/tracing.js";
import type { App } from "../kernel/app.js";
import { describeProblem, describeQuery, withoutCredentials } from "./describe-request.js";
import type { RouteApi } from "./route-api.js";
import type { RequestState } from "./types.js";
import { withoutTokens } from "./without-tokens.js";

/** As much of a request as its lines in the log are made of; a koa context is one. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  /** With the query string. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly state: Partial<RequestState>;
  /** Of the client. */
  readonly ip?: string;
  /** Decoded path parameters. */
  readonly params?: Readonly<Record<string, string>>;
}

/**
 * What the writes of a request say of it: `currentOrigin()` while it is answered.
 *
 * @param request - a koa context, or the RequestInfo of an endpoint.
 */
export function originOf(request: Pick<LoggedRequest, "headers" | "state" | "ip">): WriteOrigin {
  const { headers, state } = request;
  const { traceparent } = headers;
  const { requestId, route, actor } = state;
  const api = route?.api;
  return {
    transport: api === "admin" || api === "graphql" ? api : "rest",
    actor: actor && nameActor(actor),
    requestId,
    traceparent: typeof traceparent === "string" ? traceparent : undefined,
    [REQUEST]: request,
  };
}

/** What every line of a request says. */
export interface RequestFields {
  readonly requestId: string | undefined;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly method: string;
  /** Without the query string, which may hold tokens. */
  readonly path: string;
  readonly api: RouteApi;
  readonly operation: string;
  /** Missing before the caller is known. */
  readonly actor?: WriteActor;
}

/**
 * What the lines of a request say of it, without credentials; for lines of one's own as well:
 * `app.log.warn({ ...requestFields(ctx), stock }, "Sold out")`. The trace is that of the active span, else of its `traceparent` header.
 */
export function requestFields({ method, path, headers, state }: LoggedRequest): RequestFields {
  const { requestId, route, actor } = state;
  const operation = state.operation ?? route?.operation ?? "none";
  const fields: RequestFields = { requestId, method, path: withoutTokens(path), api: route?.api ?? "other", operation };
  // Assigned and not spread: an object that is put together by spreading others takes 4 us.
  if (actor) Object.assign(fields, { actor: nameActor(actor) });
  return Object.assign(fields, tracePlace(headers));
}

/** What the line of an answered request says beside RequestFields; the last three for people only. */
export interface AnswerFields {
  readonly status: number;
  readonly ms: number;
  /** Of the catalogue, where the answer is an error of ours. */
  readonly code?: string | undefined;
  readonly query?: string;
  readonly problem?: string | undefined;
}

/** On a logger whose lines are for people. */
const READABLE = Symbol("plinth.readableLog");

/** Marks a logger: its lines of requests also say what was asked for, and what was wrong with it. */
export function markReadable(log: Logger): Logger {
  return Object.assign(log, { [READABLE]: true });
}

/** Writes the line of an answered request, at level info. @param start - when it arrived, as of `performance.now()` */
export function logAnswer({ log }: App, request: LoggedRequest, status: number, start: number): void {
  if (!log.isLevelEnabled("info")) return;
  const ms = Math.round(performance.now() - start);
  const { failure } = request.state;
  const fields: RequestFields & AnswerFields = Object.assign(requestFields(request), { status, ms });
  if (failure) Object.assign(fields, { code: failure.code });
  if (READABLE in log) Object.assign(fields, describeForPeople(request));
  log.info(fields, `${fields.method} ${fields.path} ${status} (${ms} ms)`);
}

function describeForPeople({ url, headers, state }: LoggedRequest): Pick<AnswerFields, "query" | "problem"> {
  const start = url.indexOf("?");
  const { failure } = state;
  return {
    query: start < 0 ? "" : withoutCredentials(describeQuery(url.slice(start + 1)), headers),
    ...(failure && failure.status < 500
      ? { problem: withoutCredentials(describeProblem(failure), headers) }
      : undefined),
  };
}

import {
  context,
  isSpanContextValid,
  propagation,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from "@opentelemetry/api";
import { isPlinthError } from "./error.js";
import { channels, type DatabaseMessage } from "./telemetry.js";
import { parseTraceparent, type TracePlace } from "./trace-context.js";

/*
 * Spans by OpenTelemetry's API. Its SDK is the app's, and registered before the app is made, by `node --import`. Where none
 * is, there is no tracer, and nothing is made for traces.
 */

/** Headers of a request, as far as traces need them. */
interface TraceHeaders {
  readonly [name: string]: unknown;
}

/** What spans are made with; undefined where no SDK is registered. To be asked once, when an app starts. */
export function findTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  const isNone =
    provider instanceof ProxyTracerProvider && provider.getDelegate() === new ProxyTracerProvider().getDelegate();
  return isNone ? undefined : trace.getTracer("plinth");
}

/** Where the work that is under way belongs: to the active span, else to what the request came with. */
export function tracePlace({ traceparent }: TraceHeaders = {}): TracePlace | undefined {
  const active = trace.getActiveSpan()?.spanContext();
  if (active && isSpanContextValid(active)) return { traceId: active.traceId, spanId: active.spanId };
  return typeof traceparent === "string" ? parseTraceparent(traceparent) : undefined;
}

/**
 * The same as the text of a `traceparent`, to be kept with work that is done later.
 *
 * @source https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function traceparentOf({ traceparent }: TraceHeaders = {}): string | undefined {
  const active = trace.getActiveSpan()?.spanContext();
  if (active && isSpanContextValid(active)) {
    const isSampled = (active.traceFlags & TraceFlags.SAMPLED) !== 0;
    return `00-${active.traceId}-${active.spanId}-${isSampled ? "01" : "00"}`;
  }
  return typeof traceparent === "string" && parseTraceparent(traceparent) ? traceparent : undefined;
}

/** Work on documents. */
interface TracedWork {
  readonly name: string;
  readonly uid: string;
  readonly operation: string;
}

/** Does work in a span, which is the active one meanwhile. */
export function inSpan<Result>(
  tracer: Tracer,
  { name, uid, operation }: TracedWork,
  run: () => Promise<Result>,
): Promise<Result> {
  const attributes = { "plinth.uid": uid, "plinth.operation": operation };
  return tracer.startActiveSpan(`${name} ${uid}`, { attributes }, async (span) => {
    try {
      return await run();
    } catch (error) {
      noteError(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Work that was asked for earlier, perhaps by another process. */
interface LaterWork {
  /** Of the span: `plinth.job mail`. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** What `traceparentOf` gave when it was asked for. */
  readonly traceparent: string | undefined;
}

/** Does such work in a span of the trace that it was asked for in; without a tracer, just does it. */
export function inLaterSpan<Result>(
  { name, attributes, traceparent }: LaterWork,
  run: () => Promise<Result>,
): Promise<Result> {
  const tracer = findTracer();
  if (!tracer) return run();
  const from = traceparent === undefined ? context.active() : propagation.extract(context.active(), { traceparent });
  return tracer.startActiveSpan(name, { kind: SpanKind.CONSUMER, attributes }, from, async (span) => {
    try {
      return await run();
    } catch (error) {
      noteError(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A refusal is no fault of the server's. What an error says may have values in it, so only its code is kept. */
function noteError(span: Span, error: unknown): void {
  span.setAttribute("error.type", typeOf(error));
  if (!isPlinthError(error) || error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

function typeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as Readonly<Record<"code" | "name", unknown>>;
  return String(code ?? name);
}

/** Names the active span, which is that of the request, after its route. */
export function traceRoute(method: string, path: string): void {
  trace.getActiveSpan()?.setAttribute("http.route", path).updateName(`${method} ${path}`);
}

/** Does the work of a request; where nothing has made a span for it, in the trace of its headers. */
export function inCallersTrace(headers: object, run: () => void): void {
  if (trace.getActiveSpan()) run();
  else context.with(propagation.extract(context.active(), headers), run);
}

/**
 * Makes a span of each trip to the database that belongs to another span.
 *
 * @param nodeOf - `primary` or `replica`; undefined for pools of other apps.
 * @returns ends it
 */
export function traceStatements(tracer: Tracer, nodeOf: (pool: object) => string | undefined): () => void {
  const spans = new WeakMap<DatabaseMessage, Span>();
  const started = (message: DatabaseMessage): void => {
    const node = nodeOf(message.pool);
    if (node === undefined || !trace.getActiveSpan()) return;
    const { kind, statements, waited } = message;
    const attributes = {
      "db.system.name": "postgresql",
      "db.operation.batch.size": statements,
      "plinth.db.kind": kind,
      "plinth.db.node": node,
      "plinth.db.waited_ms": waited,
    };
    spans.set(message, tracer.startSpan("plinth.db", { kind: SpanKind.CLIENT, attributes }));
  };
  const ended = (message: DatabaseMessage): void => {
    const span = spans.get(message);
    if (!span) return;
    span.setAttribute("plinth.db.rows", message.rows);
    if (message.error !== undefined) {
      span.setAttribute("error.type", typeOf(message.error));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  };
  channels.db.start.subscribe(started);
  channels.db.end.subscribe(ended);
  return () => {
    channels.db.start.unsubscribe(started);
    channels.db.end.unsubscribe(ended);
  };
}

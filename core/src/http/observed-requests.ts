import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { channels, type HttpMessage, type ReportedRoute } from "../base/telemetry.js";
import { inCallersTrace } from "../base/tracing.js";
import { arrivedAt } from "./admission.js";
import type { RequestState } from "./types.js";

const { http } = channels;
/** Of an answer, while there is a listener: its message. A WeakMap takes 0.6 us to hold it. */
const REPORTED = Symbol("reported");

/** What a request comes to know of itself. */
type Known = Pick<RequestState, "route" | "operation">;

type Reported = ServerResponse & { [REPORTED]?: ReportedRequest };

/** The message of a request; its route and operation are those of its state. */
class ReportedRequest implements HttpMessage {
  readonly startedAt: number;
  duration = 0;
  /** From the match on. */
  state: Known | undefined;

  constructor(
    readonly app: object,
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
  ) {
    this.startedAt = arrivedAt(request);
  }

  get route(): ReportedRoute | undefined {
    return this.state?.route;
  }

  get operation(): string | undefined {
    return this.state?.operation ?? this.state?.route?.operation;
  }

  readonly end = (): void => {
    this.duration = performance.now() - this.startedAt;
    http.end.publish(this);
  };
}

/** Reports every request by `plinth:http`, where it has a listener. @param app - whose requests they are. */
export function observeRequests(app: object, answer: RequestListener): RequestListener {
  return (request, response) => {
    if (http.hasListeners) report(new ReportedRequest(app, request, response));
    answer(request, response);
  };
}

/** Has requests belong to the trace that they come with, where traces are made. */
export function traceRequests(answer: RequestListener, isTraced: boolean): RequestListener {
  if (!isTraced) return answer;
  return (request, response) => inCallersTrace(request.headers, () => answer(request, response));
}

function report(message: ReportedRequest): void {
  (message.response as Reported)[REPORTED] = message;
  http.start.publish(message);
  message.response.on("close", message.end);
}

/** Says which route answers. @param state - of the request; its operation is read at the end. */
export function reportRoute(response: ServerResponse, state: Known): void {
  const message = http.hasListeners ? (response as Reported)[REPORTED] : undefined;
  if (message) message.state = state;
}

import type { RequestListener, ServerResponse } from "node:http";
import { channels, type HttpMessage } from "../base/telemetry.js";
import { inCallersTrace } from "../base/tracing.js";
import type { RequestState } from "./types.js";

const { http } = channels;
/** Of requests that are being answered, while there is a listener. */
const reported = new WeakMap<ServerResponse, HttpMessage>();
const states = new WeakMap<ServerResponse, Known>();

/** What a request comes to know of itself. */
type Known = Pick<RequestState, "route" | "operation">;

/** Reports every request by `plinth:http`, where it has a listener. @param app - whose requests they are. */
export function observeRequests(app: object, answer: RequestListener): RequestListener {
  return (request, response) => {
    if (http.hasListeners) report({ app, request, response, ...UNKNOWN, startedAt: performance.now(), duration: 0 });
    answer(request, response);
  };
}

/** Has requests belong to the trace that they come with, where traces are made. */
export function traceRequests(answer: RequestListener, isTraced: boolean): RequestListener {
  if (!isTraced) return answer;
  return (request, response) => inCallersTrace(request.headers, () => answer(request, response));
}

const UNKNOWN = { route: undefined, operation: undefined };

function report(message: HttpMessage): void {
  const { response, startedAt } = message;
  reported.set(response, message);
  http.start.publish(message);
  response.once("close", () => {
    message.operation = states.get(response)?.operation ?? message.route?.operation;
    message.duration = performance.now() - startedAt;
    http.end.publish(message);
  });
}

/** Says which route answers. @param state - of the request; its operation is read at the end. */
export function reportRoute(response: ServerResponse, state: Known): void {
  const message = http.hasListeners ? reported.get(response) : undefined;
  if (!message) return;
  message.route = state.route;
  states.set(response, state);
}

import type { RequestListener, ServerResponse } from "node:http";
import { channels, type HttpMessage, type ReportedRoute } from "../base/telemetry.js";

const { http } = channels;
/** Of requests that are being answered, while there is a listener. */
const reported = new WeakMap<ServerResponse, HttpMessage>();

/** Reports every request by `plinth:http`, where it has a listener. @param app - whose requests they are. */
export function observeRequests(app: object, answer: RequestListener): RequestListener {
  return (request, response) => {
    if (http.hasListeners) report({ app, request, response, ...UNKNOWN, startedAt: performance.now(), duration: 0 });
    answer(request, response);
  };
}

const UNKNOWN = { route: undefined, operation: undefined };

function report(message: HttpMessage): void {
  const { response, startedAt } = message;
  reported.set(response, message);
  http.start.publish(message);
  response.once("close", () => {
    message.duration = performance.now() - startedAt;
    http.end.publish(message);
  });
}

/** Says which route answers. */
export function reportRoute(response: ServerResponse, route: ReportedRoute): void {
  const message = http.hasListeners ? reported.get(response) : undefined;
  if (message) message.route = route;
}

/**
 * Says what a request does, where its route does not.
 *
 * @param operation - one of few, such as `query` and `mutation`: it becomes a label of metrics.
 */
export function reportOperation(response: ServerResponse, operation: string): void {
  const message = http.hasListeners ? reported.get(response) : undefined;
  if (message) message.operation = operation;
}

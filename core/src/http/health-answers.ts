import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Readiness } from "./health.js";
import type { OwnedRoute } from "./route.js";

/** For caches between a process and those who ask for its health. */
const NEVER_KEPT = { "Cache-Control": "no-store" };
const TAKES_WORK: ReadonlySet<Readiness> = new Set<Readiness>(["ready", "degraded"]);

/** `GET /_health`, by which Strapi's clients ask, in the list of routes; `withHealthAnswers` answers it, in its usual form. */
export const liveRoute: OwnedRoute = {
  owner: "plinth",
  route: {
    method: "GET",
    path: "/_health",
    type: "root",
    config: { auth: false },
    description: {
      summary: "Whether the process lives",
      tag: "Server",
      answers: { 204: { description: "It does" } },
    },
    handler: (ctx) => {
      ctx.status = 204;
    },
  },
};

/** What knows how ready a process is, or several; on the management port everything of the report is shown. */
export interface ReportsHealth {
  report(): { readonly status: Readiness };
}

/**
 * Answers `GET /health/live`, `GET /health/ready` and `GET /_health` before any middleware, without credentials and without a
 * line in the log. None sends a statement.
 *
 * @param options - `withDetails`: for the management port, also what each check found.
 * @param otherwise - answers all other requests.
 */
export function withHealthAnswers(
  health: ReportsHealth,
  { withDetails }: { readonly withDetails: boolean },
  otherwise: RequestListener,
): RequestListener {
  return (request, response) => {
    const name = nameOf(request);
    if (name === "/health/live") send(response, 200, { status: "live" });
    else if (name === "/_health") response.writeHead(204, NEVER_KEPT).end();
    else if (name === "/health/ready") {
      const report = health.report();
      send(response, TAKES_WORK.has(report.status) ? 200 : 503, withDetails ? report : { status: report.status });
    } else otherwise(request, response);
  };
}

/** The path of what may be a question about health. Every request passes here. */
function nameOf({ method, url = "" }: IncomingMessage): string | undefined {
  if (!url.startsWith("/health/") && !url.startsWith("/_health")) return undefined;
  return method === "GET" || method === "HEAD" ? url.split("?", 1)[0] : undefined;
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    ...NEVER_KEPT,
    ...(status === 503 ? { "Retry-After": "1" } : {}),
  };
  response.writeHead(status, headers).end(text);
}

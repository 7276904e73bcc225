import type { PlinthError } from "../base/error.js";
import type { OwnedRoute } from "./route.js";
import type { RouteDescription } from "./route-description.js";

/** What is asked of a process. */
export interface HealthSources {
  /** Whether it takes no more requests soon. */
  readonly isStopping: () => boolean;
  /** Why it must not be used although it answers; undefined where nothing is wrong. */
  readonly fault: () => PlinthError | undefined;
}

/** Answers monitoring without credentials, with any configuration. Neither asks the database. */
export function healthRoutes({ isStopping, fault }: HealthSources): readonly OwnedRoute[] {
  return [
    route("/_health", "Whether the server takes requests", { 204: { description: "It does" } }, (ctx) => {
      if (!isStopping()) {
        ctx.status = 204;
        return;
      }
      ctx.status = 503;
      ctx.set("Retry-After", "1");
      ctx.body = "Stopping";
    }),
    route("/health/ready", "Whether the process should get requests", { 200: { description: "It should" } }, (ctx) => {
      const status = isStopping() ? "draining" : fault() ? "down" : "ready";
      ctx.status = status === "ready" ? 200 : 503;
      if (status !== "ready") ctx.set("Retry-After", "1");
      ctx.body = { status };
    }),
  ];
}

type Answers = RouteDescription["answers"];
type Handler = Exclude<OwnedRoute["route"]["handler"], string>;

function route(path: string, summary: string, answers: Answers, handler: Handler): OwnedRoute {
  const description = { summary, tag: "Server", answers };
  return {
    owner: "plinth",
    route: { method: "GET", path, type: "root", config: { auth: false }, description, handler },
  };
}

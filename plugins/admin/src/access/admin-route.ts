import type { App, Handler, Route } from "@plinth/core";
import type { RouteConfig, RouteDescription, RouteMethod } from "@plinth/core/http";
import { administratorsOnly } from "../contract.js";
import { createOriginPolicy } from "./gate.js";

/** A route below /admin/api. */
export interface AdminRoute {
  readonly method: RouteMethod;
  /** Below `/admin/api`: `/content/:uid`. */
  readonly path: string;
  /** `ctx.state.actor` is the administrator, with the ability of their role; `sessionOf(ctx)` has their name. */
  readonly handler: Handler;
  /** What the caller has to be granted, `plugin::admin.views`; nothing: every administrator, and the handler checks. */
  readonly action?: string;
  readonly bodyLimit?: NonNullable<RouteConfig["bodyLimit"]>;
  readonly description: RouteDescription;
}

/** Declares a route below /admin/api, for administrators only: a session's cookie of this origin, or their bearer. */
export function adminRoute({ method, path, handler, action, bodyLimit, description }: AdminRoute): Route {
  const config = {
    auth: false,
    prefix: PREFIX,
    policies: [administratorsOnly(action)],
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
  } as const;
  return { method, path, handler, type: "root", config, description };
}

/** Declares a route below /admin/api that needs no session; the page itself has to send the request. */
export function openRoute(
  app: App,
  { method, path, handler, description }: Omit<AdminRoute, "action" | "bodyLimit">,
): Route {
  const config = { auth: false, prefix: PREFIX, policies: [createOriginPolicy(app)] } as const;
  return { method, path, handler, type: "root", config, description };
}

/** Before the paths of the page's own REST. */
export const PREFIX = "/admin/api";

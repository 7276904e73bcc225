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
  /** Whether it is open to an account that has to make a second factor first. */
  readonly duringSetUp?: true;
  /** Whether API tokens, which are no person, are kept out: with one of them who has it could give themselves more. */
  readonly personsOnly?: true;
  readonly bodyLimit?: NonNullable<RouteConfig["bodyLimit"]>;
  /** The page asks by itself, such as for events: the request keeps no session alive. */
  readonly isQuiet?: true;
  readonly description: RouteDescription;
}

/** Declares a route below /admin/api, for administrators only: a session's cookie of this origin, or their bearer. */
export function adminRoute({ method, path, handler, bodyLimit, description, ...asked }: AdminRoute): Route {
  const { action, duringSetUp, isQuiet, personsOnly } = asked;
  const gate = administratorsOnly(action);
  const more = {
    ...(duringSetUp ? { duringSetUp } : {}),
    ...(isQuiet ? { isQuiet } : {}),
    ...(personsOnly ? { personsOnly } : {}),
  };
  const config = {
    auth: false,
    prefix: PREFIX,
    policies: [{ ...gate, config: { ...gate.config, ...more } }],
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
  } as const;
  return { method, path, handler, type: "root", config, description };
}

/** Declares a route below /admin/api that needs no session; the page itself has to send the request. */
export function openRoute(
  app: App,
  { method, path, handler, description }: Pick<AdminRoute, "method" | "path" | "handler" | "description">,
): Route {
  const config = { auth: false, prefix: PREFIX, policies: [createOriginPolicy(app)] } as const;
  return { method, path, handler, type: "root", config, description };
}

/** Before the paths of the page's own REST. */
export const PREFIX = "/admin/api";

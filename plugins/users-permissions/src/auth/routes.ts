import type { Route } from "@plinth/core";
import type { RouteMethod } from "@plinth/core/http";
import { noStore } from "../no-store.js";
import { authDescriptions } from "./describe-routes.js";

/** The field with the account, by which a route counts beside the address; see rate-limit.ts. */
type Limited = { readonly field?: string };

function limited(method: RouteMethod, path: string, action: string, limit: Limited = {}): Route {
  const middlewares = [noStore, { name: "rate-limit", config: { ...limit } }];
  return { method, path, handler: `auth.${action}`, config: { prefix: "", middlewares }, ...describe(action) };
}

function open(method: RouteMethod, path: string, action: string): Route {
  return {
    method,
    path,
    handler: `auth.${action}`,
    config: { prefix: "", middlewares: [noStore] },
    ...describe(action),
  };
}

function describe(action: string): Pick<Route, "description"> {
  const description = authDescriptions[action];
  return description === undefined ? {} : { description };
}

/**
 * The authentication routes. Those that could be used for guessing are counted.
 *
 * @source plugins/content-api/WIRE.md#users-and-roles
 * @source plugins/content-api/WIRE.md#sessions
 */
export const authRoutes: readonly Route[] = [
  limited("POST", "/auth/local", "callback", { field: "identifier" }),
  limited("POST", "/auth/local/register", "register", { field: "email" }),
  limited("POST", "/auth/change-password", "changePassword"),
  limited("POST", "/auth/forgot-password", "forgotPassword", { field: "email" }),
  limited("POST", "/auth/reset-password", "resetPassword"),
  limited("GET", "/auth/email-confirmation", "emailConfirmation"),
  limited("POST", "/auth/send-email-confirmation", "sendEmailConfirmation", { field: "email" }),
  limited("GET", "/connect/:provider", "connect"),
  limited("POST", "/auth/refresh", "refresh"),
  open("POST", "/auth/logout", "logout"),
  open("GET", "/auth/sessions", "getSessions"),
  open("DELETE", "/auth/sessions/:id", "revokeSession"),
];

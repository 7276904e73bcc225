import type { Middleware, Route } from "@plinth/core";
import type { RouteMethod } from "@plinth/core/http";
import { authDescriptions, roleDescriptions, userDescriptions } from "./describe-routes.js";

/**
 * On routes whose answers have tokens or what belongs to a person: no cache keeps them, not even that of a shared
 * browser.
 */
const noStore: Middleware = (ctx, next) => {
  ctx.set("Cache-Control", "no-store");
  return next();
};

/** Routes at the root of the API, outside the prefix of the plugin. */
const atRoot = { prefix: "", middlewares: [noStore] } as const;

type AuthAction = keyof typeof authDescriptions;

/** @param limit - the field with the account, by which the route counts beside the address; see rate-limit.ts */
function limited(method: RouteMethod, path: string, action: AuthAction, limit: { field?: string } = {}): Route {
  const middlewares = [noStore, { name: "rate-limit", config: limit }];
  return { ...unlimited(method, path, action), config: { ...atRoot, middlewares } };
}

/** Clients whose credentials have expired come here, and many send them along. */
function withoutCredentials(route: Route): Route {
  return { ...route, config: { ...route.config, auth: { expired: "public" } } };
}

/** To sign out with a token that is over is no mistake. */
function withOldCredentials(route: Route): Route {
  return { ...route, config: { ...route.config, auth: { expired: "open" } } };
}

function unlimited(method: RouteMethod, path: string, action: AuthAction): Route {
  return {
    method,
    path,
    handler: `auth.${action}`,
    api: "auth",
    config: atRoot,
    description: authDescriptions[action],
  };
}

/** Where sign-in by a provider begins, and where the provider leads back to. */
const PROVIDER_PATHS = ["/connect", "/connect/:provider", "/connect/:provider/callback", "/auth/:provider/callback"];

/**
 * The authentication routes. Those that could be used for guessing are counted.
 *
 * @source plugins/content-api/WIRE.md#users-and-roles
 * @source plugins/content-api/WIRE.md#sessions
 */
export const authRoutes: readonly Route[] = [
  ...[
    limited("POST", "/auth/local", "callback", { field: "identifier" }),
    limited("POST", "/auth/local/register", "register", { field: "email" }),
    limited("POST", "/auth/forgot-password", "forgotPassword", { field: "email" }),
    limited("POST", "/auth/reset-password", "resetPassword"),
    limited("GET", "/auth/email-confirmation", "emailConfirmation"),
    limited("POST", "/auth/send-email-confirmation", "sendEmailConfirmation", { field: "email" }),
    ...PROVIDER_PATHS.map((path) => limited("GET", path, "connect")),
    limited("POST", "/auth/refresh", "refresh"),
  ].map(withoutCredentials),
  withOldCredentials(unlimited("POST", "/auth/logout", "logout")),
  limited("POST", "/auth/change-password", "changePassword"),
  unlimited("GET", "/auth/sessions", "getSessions"),
  unlimited("DELETE", "/auth/sessions/:id", "revokeSession"),
];

function ofUsers(method: RouteMethod, path: string, action: keyof typeof userDescriptions): Route {
  return { method, path, handler: `user.${action}`, config: atRoot, description: userDescriptions[action] };
}

/** @source plugins/content-api/WIRE.md#users-and-roles */
export const userRoutes: readonly Route[] = [
  ofUsers("GET", "/users", "find"),
  ofUsers("GET", "/users/count", "count"),
  ofUsers("GET", "/users/me", "me"),
  ofUsers("GET", "/users/:id", "findOne"),
  ofUsers("POST", "/users", "create"),
  ofUsers("PUT", "/users/:id", "update"),
  ofUsers("DELETE", "/users/:id", "destroy"),
];

function ofRoles(method: RouteMethod, path: string, action: keyof typeof roleDescriptions): Route {
  return { method, path, handler: `role.${action}`, description: roleDescriptions[action] };
}

/** Below the plugin's own prefix. @source plugins/content-api/WIRE.md#users-and-roles */
export const roleRoutes: readonly Route[] = [
  ofRoles("GET", "/roles", "find"),
  ofRoles("GET", "/roles/:id", "findOne"),
  ofRoles("POST", "/roles", "createRole"),
  ofRoles("PUT", "/roles/:id", "updateRole"),
  ofRoles("DELETE", "/roles/:id", "deleteRole"),
  { ...ofRoles("GET", "/permissions", "getPermissions"), handler: "permissions.getPermissions" },
];

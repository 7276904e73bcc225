import { type App, type Handler, type Policy, type Route, UnauthenticatedError } from "@plinth/core";
import { createAccess, parseAccessConfig } from "@plinth/core/access";
import {
  endpointOfOne,
  type PolicyRef,
  resourceEndpoints,
  type RouteMethod,
  type RouteSource,
} from "@plinth/core/http";
import { administrators, apiTokens, type NewToken } from "./contract.js";
import { createLogin, createPermissionList, createTokenList } from "./controllers.js";
import { descriptions } from "./describe-routes.js";
import { createIssuing } from "./services/issuing.js";
import { tokenAuthenticator } from "./services/token-authenticator.js";

/**
 * The REST of administrators. It has its own authentication: the strategies of the content API are not used, so that
 * neither a user's JWT nor a token without the type `admin` opens anything here; and its handlers are functions, so that
 * there is no action that a grant such as `*` could include.
 */
export const adminRoutes: RouteSource = {
  createRoutes: ({ app }) => {
    const service = () => app.service(apiTokens);
    const issuing = createIssuing(app);
    const tokens = resourceEndpoints({
      list: () => service().list(),
      findOne: issuing.findOne,
      create: (values, ctx) => issuing.create(values as unknown as NewToken, ctx.state.actor),
      update: (documentId, changes, ctx) => issuing.update(documentId, changes, ctx.state.actor),
      remove: (documentId, ctx) => issuing.revoke(documentId, ctx.state.actor),
    });
    const regenerate = endpointOfOne((documentId, ctx) => issuing.regenerate(documentId, ctx.state.actor));
    const login = createLogin(app, () => app.service(administrators));
    const closed = (method: RouteMethod, path: string, handler: Handler) =>
      routeOf(method, path, handler, [{ name: ADMINISTRATORS_ONLY, config: { action: "plugin::admin.tokens" } }]);
    return [
      { ...routeOf("POST", "/login", login, []), description: descriptions.login },
      { ...closed("GET", "/permissions", createPermissionList(app)), description: descriptions.permissions },
      {
        ...closed(
          "GET",
          "/api-tokens",
          createTokenList(app, () => service().list()),
        ),
        description: descriptions.list,
      },
      { ...closed("POST", "/api-tokens", tokens.create), description: descriptions.create },
      { ...closed("GET", "/api-tokens/:documentId", tokens.findOne), description: descriptions.findOne },
      { ...closed("PUT", "/api-tokens/:documentId", tokens.update), description: descriptions.update },
      { ...closed("DELETE", "/api-tokens/:documentId", tokens.remove), description: descriptions.remove },
      { ...closed("POST", "/api-tokens/:documentId/regenerate", regenerate), description: descriptions.regenerate },
    ];
  },
};

/** `auth: false` turns the content API's strategies off; the policy uses the administrators' own. */
function routeOf(method: RouteMethod, path: string, handler: Handler, policies: readonly PolicyRef[]): Route {
  return { method, path, handler, type: "root", config: { auth: false, prefix: "/admin", policies } };
}

/** Name of the policy that lets administrators pass; routes of other plugins name `plugin::api-tokens.is-administrator`. */
export const ADMINISTRATORS_ONLY = "is-administrator";

/** Lets administrators pass. It stands on routes with `auth: false`. @throws PLINTH_ACCESS_UNAUTHENTICATED (401), PLINTH_TOKENS_EXPIRED (401) */
export function createAdministratorPolicy(app: App): Policy {
  const strategies = [
    {
      name: "admin-token",
      authenticate: (bearer: string) => app.service(tokenAuthenticator).authenticateAdmin(bearer),
    },
    { name: "admin-session", authenticate: (bearer: string) => app.service(administrators).ofSession(bearer) },
  ];
  const access = createAccess(parseAccessConfig({}), strategies, { app });
  return async (ctx) => {
    ctx.set("Cache-Control", "no-store");
    const actor = await access.authenticate(ctx.headers.authorization);
    if (actor.kind !== "admin") throw new UnauthenticatedError({});
    ctx.state.actor = actor;
    return true;
  };
}

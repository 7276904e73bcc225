import { type App, type Handler, type HttpContext, type Policy, type Route, UnauthenticatedError } from "@plinth/core";
import { assertMayGrant, createAccess, parseAccessConfig } from "@plinth/core/access";
import {
  endpointOfOne,
  type PolicyRef,
  resourceEndpoints,
  type RouteMethod,
  type RouteSource,
} from "@plinth/core/http";
import { TOKEN_TYPE } from "./content-types.js";
import { administrators, type ApiToken, apiTokens, type NewToken } from "./contract.js";
import { createLogin, createPermissionList, createTokenList } from "./controllers.js";
import { descriptions } from "./describe-routes.js";
import { grantOf } from "./services/token-grant.js";
import { tokenAuthenticator } from "./services/token-authenticator.js";

/**
 * The REST of administrators. It has its own authentication: the strategies of the content API are not used, so that
 * neither a user's JWT nor a token without the type `admin` opens anything here; and its handlers are functions, so that
 * there is no action that a grant such as `*` could include.
 */
export const adminRoutes: RouteSource = {
  createRoutes: ({ app }) => {
    const service = () => app.service(apiTokens);
    const findOne = async (id: string) => (await service().list()).find(({ documentId }) => documentId === id);
    /** Also of a token that is deleted: a program is using it. */
    const assertMayIssue = async <Token extends ApiToken>(ctx: HttpContext, token: Token | undefined) => {
      if (token === undefined) return undefined;
      const given = { actor: ctx.state.actor, grant: grantOf(token), holder: `The API token "${token.name}"` };
      await assertMayGrant(app, given);
      return token;
    };
    /** A token stays as it was checked until it is changed; a refusal of the changed one takes the change back. */
    const change = <Result>(documentId: string, ctx: HttpContext, work: () => Promise<Result>) =>
      app.db.transaction(async () => {
        await app.documents(TOKEN_TYPE).lock(documentId);
        await assertMayIssue(ctx, await findOne(documentId));
        return await work();
      });
    const tokens = resourceEndpoints({
      list: () => service().list(),
      findOne,
      create: (values, ctx) =>
        app.db.transaction(
          async () => (await assertMayIssue(ctx, await service().create(values as unknown as NewToken))) as ApiToken,
        ),
      update: (documentId, changes, ctx) =>
        change(documentId, ctx, async () => await assertMayIssue(ctx, await service().update(documentId, changes))),
      remove: (documentId, ctx) => change(documentId, ctx, () => service().revoke(documentId)),
    });
    const regenerate = endpointOfOne((documentId, ctx) =>
      change(documentId, ctx, () => service().regenerate(documentId)),
    );
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

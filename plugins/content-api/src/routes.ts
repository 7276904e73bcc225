import { type App, kebabCase, type Route } from "@plinth/core";
import { DRAFT_ACTIONS } from "@plinth/core/access";
import type { RouteDescription, RouteMethod, RouteSource } from "@plinth/core/http";
import type { ContentType } from "@plinth/core/schema";
import type { CoreAction, CoreRouter, CoreRouterOptions } from "./contract.js";
import { parseRestConfig } from "./config.js";
import { describeRoute, withKey } from "./describe-route.js";
import { UnknownActionError } from "./errors.js";
import { findType } from "./services/create-core-service.js";

interface Endpoint {
  readonly action: CoreAction;
  readonly method: RouteMethod;
  readonly path: string;
}

/**
 * Declares the routes of a content-type, for `src/api/<api>/routes/<name>.ts`, in place of the generated ones.
 *
 * @param uid - a content-type: `api::article.article`.
 * @throws PLINTH_REST_UNKNOWN_TYPE, PLINTH_REST_UNKNOWN_ACTION (500) when the server starts
 */
export function createCoreRouter(uid: string, options: CoreRouterOptions = {}): CoreRouter {
  return { contentType: uid, createRoutes: ({ app }) => routesOf(app, findType(app, uid), options) };
}

/** The routes of every content-type of the app that has no core router of its own. */
export const generatedRoutes: RouteSource = {
  createRoutes: ({ app }) => {
    const routed = listRouted(app);
    const types = [...app.model.contentTypes.values()].filter(({ uid }) => uid.startsWith("api::") && !routed.has(uid));
    return types.flatMap((type) => routesOf(app, type, {}));
  },
};

function listRouted(app: App): ReadonlySet<string> {
  const declared = app.registry("route").entries();
  return new Set(declared.flatMap(([, route]) => ("contentType" in route ? [String(route.contentType)] : [])));
}

function routesOf(
  app: App,
  type: ContentType,
  { prefix = "", only, except = [], config = {} }: CoreRouterOptions,
): readonly Route[] {
  const endpoints = endpointsOf(type);
  const known = endpoints.map(({ action }) => action);
  for (const action of [...(only ?? []), ...except, ...(Object.keys(config) as CoreAction[])]) {
    if (!known.includes(action)) throw new UnknownActionError({ uid: type.uid, action, known });
  }
  const { idempotency } = parseRestConfig(app.config.get("api.rest"));
  return endpoints
    .filter(({ action }) => (only ?? known).includes(action) && !except.includes(action))
    .map(({ action, method, path }) => ({
      method,
      path,
      handler: `${type.uid}.${action}`,
      config: { ...config[action], prefix },
      description: describe(type, { action, method, path }, idempotency),
    }));
}

function describe(type: ContentType, { action, method, path }: Endpoint, idempotency: boolean): RouteDescription {
  const description = describeRoute(type, action, type.kind === "singleType" || path.includes(":"));
  return idempotency && method !== "GET" ? withKey(description) : description;
}

/** @source plugins/content-api/WIRE.md#envelope */
function endpointsOf(type: ContentType): readonly Endpoint[] {
  const { kind, singularName, pluralName } = type;
  if (kind === "singleType") {
    const path = `/${singularName}`;
    return [
      ...draftEndpoints(type, path),
      { action: "find", method: "GET", path },
      { action: "update", method: "PUT", path },
      { action: "delete", method: "DELETE", path },
    ];
  }
  const list = `/${pluralName}`;
  const one = `${list}/:documentId`;
  return [
    ...draftEndpoints(type, one),
    ...draftEndpoints(type, list),
    { action: "find", method: "GET", path: list },
    { action: "create", method: "POST", path: list },
    { action: "findOne", method: "GET", path: one },
    { action: "update", method: "PUT", path: one },
    { action: "delete", method: "DELETE", path: one },
  ];
}

/** What is done with the document, or the documents, at a path, where the type has drafts: `/articles/:documentId/actions/publish`. */
function draftEndpoints({ hasDrafts }: ContentType, path: string): readonly Endpoint[] {
  if (!hasDrafts) return [];
  return DRAFT_ACTIONS.map((action) => ({ action, method: "POST", path: `${path}/actions/${kebabCase(action)}` }));
}

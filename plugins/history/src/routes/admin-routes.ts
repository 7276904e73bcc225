import { type App, NotFoundError, type Route } from "@plinth/core";
import { type Endpoint, handlerOf, type RouteMethod } from "@plinth/core/http";
import type { KeptTypes } from "../kept-types.js";
import { describeRoutes } from "./describe-routes.js";
import { withAuthors } from "./with-authors.js";
import { createEndpoints, type HistoryEndpoints } from "./endpoints.js";

/** An action of the admin page, which roles of administrators can be granted; what they see is what their role says of the type. */
const GATE = { name: "plugin::api-tokens.is-administrator", config: { action: "plugin::admin.history" } };

/** The routes of administrators: `/admin/api/history/:uid/:documentId`; `single` is the document of a single type. */
export function adminRoutes(app: App, kept: KeptTypes): readonly Route[] {
  const endpoints = createEndpoints(app, "admin", ({ params: { uid = "" } }) => {
    if (!kept.has(uid)) throw new NotFoundError({});
    return uid;
  });
  const descriptions = describeRoutes({ tag: "Admin page", bearer: "administrator" }, true);
  const config = { auth: false, prefix: "/admin/api", policies: [GATE] } as const;
  const route = (method: RouteMethod, path: string, name: keyof HistoryEndpoints): Route => ({
    ...{ method, path: `/history/:uid${path}`, handler: handlerOf(named(endpoints[name])), type: "root" },
    ...{ config, description: descriptions[name] },
  });
  const named =
    (endpoint: Endpoint): Endpoint =>
    async (request) =>
      withAuthors(app, await endpoint(request));
  const types: Endpoint = async ({ actor: { ability } }) => ({
    status: 200,
    body: { data: [...kept.keys()].filter((uid) => ability.can(`${uid}.find`)) },
  });
  return [
    {
      method: "GET",
      path: "/history",
      handler: handlerOf(types),
      type: "root",
      config,
      description: descriptions.types,
    },
    route("GET", "", "deleted"),
    route("GET", "/:documentId", "list"),
    route("GET", "/:documentId/:version", "findOne"),
    route("GET", "/:documentId/:version/compare", "compare"),
    route("POST", "/:documentId/:version/restore", "restore"),
  ];
}

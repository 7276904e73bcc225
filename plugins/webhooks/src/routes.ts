import type { App, Handler, HttpContext, Route } from "@plinth/core";
import { endpointOfOne, resourceEndpoints, type RouteMethod } from "@plinth/core/http";
import { type EndpointValues, webhooks } from "./contract.js";
import { descriptions } from "./describe-routes.js";
import { InvalidSelectionError } from "./errors.js";
import { parseLimit, parseSelection, type SelectionText } from "./parse-selection.js";

/** How administrators manage webhooks; the api-tokens plugin says who they are. */
export function createAdminRoutes(app: App): readonly Route[] {
  const service = () => app.service(webhooks);
  const endpoints = resourceEndpoints({
    list: () => service().list(),
    findOne: async (documentId) => (await service().list()).find((each) => each.documentId === documentId),
    create: (values) => service().create(values as unknown as EndpointValues),
    update: (documentId, changes) => service().update(documentId, changes as Partial<EndpointValues>),
    remove: (documentId) => service().remove(documentId),
  });
  const rotate = endpointOfOne((documentId) => service().rotate(documentId));
  const test = endpointOfOne((documentId) => service().test(documentId));
  const options: Handler = async () => ({ data: service().options() });
  const path = "/webhooks/:documentId";
  return [
    { ...routeOf("GET", "/webhooks", endpoints.list), description: descriptions.list },
    { ...routeOf("POST", "/webhooks", endpoints.create), description: descriptions.create },
    { ...routeOf("GET", path, endpoints.findOne), description: descriptions.findOne },
    { ...routeOf("PUT", path, endpoints.update), description: descriptions.update },
    { ...routeOf("DELETE", path, endpoints.remove), description: descriptions.remove },
    { ...routeOf("POST", `${path}/secrets`, rotate), description: descriptions.rotate },
    { ...routeOf("POST", `${path}/test`, test), description: descriptions.test },
    { ...routeOf("GET", "/webhooks/options", options), description: descriptions.options },
    { ...routeOf("GET", `${path}/deliveries`, listDeliveries(app)), description: descriptions.deliveries },
    { ...routeOf("POST", `${path}/replay`, changeDeliveries(app, "replay")), description: descriptions.replay },
    { ...routeOf("POST", `${path}/drop`, changeDeliveries(app, "drop")), description: descriptions.drop },
  ];
}

const listDeliveries = (app: App): Handler => {
  return async (ctx) => {
    const { limit, ...selection } = textsOf(ctx.query, ["event", "since", "state", "limit"]);
    const filter = { ...parseSelection(selection, app.clock.now()), endpoint: endpointOf(ctx) };
    return { data: await app.service(webhooks).deliveries(filter, parseLimit(limit)) };
  };
};

const changeDeliveries = (app: App, verb: "replay" | "drop"): Handler => {
  return async (ctx) => {
    const selection = textsOf(Object(ctx.request.body) as object, ["event", "since", "state"]);
    const filter = { ...parseSelection(selection, app.clock.now()), endpoint: endpointOf(ctx) };
    return { data: { deliveries: await app.service(webhooks)[verb](filter) } };
  };
};

const endpointOf = ({ params }: HttpContext): string => params["documentId"] ?? "";

/** @throws PLINTH_WEBHOOKS_SELECTION_INVALID (400) for what is not known, or neither a string nor a number */
function textsOf(given: object, known: readonly string[]): SelectionText & { readonly limit?: unknown } {
  for (const [key, value] of Object.entries(given)) {
    if (!known.includes(key)) throw new InvalidSelectionError({ reason: `"${key}" is not one of ${known.join(", ")}` });
    if (typeof value !== "string" && typeof value !== "number")
      throw new InvalidSelectionError({ reason: `"${key}" must be a string` });
  }
  return given;
}

/** `auth: false` turns the content API's strategies off; the policy uses the administrators' own. */
function routeOf(method: RouteMethod, path: string, handler: Handler): Route {
  const action = "plugin::admin.webhooks";
  const policies = [{ name: "plugin::api-tokens.is-administrator", config: { action } }];
  return { method, path, handler, type: "root", config: { auth: false, prefix: "/admin", policies } };
}

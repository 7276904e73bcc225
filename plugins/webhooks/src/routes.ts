import type { App, Handler, HttpContext, Route } from "@plinth/core";
import { onAct } from "@plinth/core/access";
import { endpointOfOne, originOf, resourceEndpoints, type RouteMethod } from "@plinth/core/http";
import { ENDPOINT_TYPE } from "./content-types.js";
import { type EndpointValues, webhooks } from "./contract.js";
import { descriptions } from "./describe-routes.js";
import { InvalidEndpointError, InvalidSelectionError } from "./errors.js";
import { parseLimit, parseSelection, type SelectionText } from "./parse-selection.js";

/** How administrators manage webhooks; the api-tokens plugin says who they are. */
export function createAdminRoutes(app: App): readonly Route[] {
  const service = () => app.service(webhooks);
  const endpoints = resourceEndpoints({
    list: () => service().list(),
    findOne: async (documentId) => (await service().list()).find((each) => each.documentId === documentId),
    create: async (values, ctx) => {
      assertNoList(ctx);
      return await service().create(values as unknown as EndpointValues, ctx.state);
    },
    update: async (documentId, changes, ctx) => {
      assertNoList(ctx);
      return await service().update(documentId, changes as Partial<EndpointValues>, ctx.state);
    },
    remove: (documentId, ctx) => service().remove(documentId, ctx.state),
  });
  const rotate = endpointOfOne((documentId, ctx) => service().rotate(documentId, ctx.state));
  const test = endpointOfOne(async (documentId, ctx) => {
    const result = await service().test(documentId);
    if (result) await noteAct(app, ctx, "webhook.test", { status: result.status });
    return result;
  });
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
    const deliveries = await app.service(webhooks)[verb](filter);
    await noteAct(app, ctx, `webhook.${verb}`, { deliveries, ...selection });
    return { data: { deliveries } };
  };
};

/** Notes by the hook `access:onAct` what an administrator did with an endpoint that is no write of it. */
async function noteAct(
  app: App,
  ctx: HttpContext,
  action: "webhook.test" | "webhook.replay" | "webhook.drop",
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const subject = { uid: ENDPOINT_TYPE, documentId: endpointOf(ctx) };
  await app.hooks.notify(onAct, { action, result: "accepted", origin: originOf(ctx), subject, details });
}

/** A list would be taken for an empty object. @throws PLINTH_WEBHOOKS_INVALID (400) */
function assertNoList({ request: { body } }: HttpContext): void {
  const { data } = Object(body) as { readonly data?: unknown };
  if (!Array.isArray(body) && !Array.isArray(data)) return;
  const path = Array.isArray(body) ? "body" : "data";
  throw new InvalidEndpointError({ errors: [{ path, message: "must be an object, and is a list" }] });
}

const endpointOf = ({ params }: HttpContext): string => params["documentId"] ?? "";

/** @throws PLINTH_WEBHOOKS_SELECTION_INVALID (400) for what is not known, or neither a string nor a number */
function textsOf(given: object, known: readonly string[]): SelectionText & { readonly limit?: unknown } {
  if (Array.isArray(given)) throw new InvalidSelectionError({ reason: "the body must be an object, and is a list" });
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

import type { App, Route } from "@plinth/core";
import { handlerOf } from "@plinth/core/http";
import { failedEndpoints } from "./deliveries/failed-endpoints.js";

const MAYBE = { type: ["string", "null"] } as const;

const ENDPOINT = {
  type: "object",
  required: ["documentId", "name", "failingSince", "isDisabled", "dead", "at", "reason"],
  properties: {
    ...{ documentId: { type: "string" }, name: { type: "string" }, failingSince: MAYBE },
    ...{ isDisabled: { type: "boolean" }, dead: { type: "integer" }, at: MAYBE, reason: MAYBE },
  },
} as const;

/** `/admin/api/webhooks/failed`, for the home screen of those who manage webhooks. */
export function createHomeRoutes(app: App): readonly Route[] {
  const policies = [{ name: "plugin::api-tokens.is-administrator", config: { action: "plugin::admin.webhooks" } }];
  const schema = { type: "object", required: ["data"], properties: { data: { type: "array", items: ENDPOINT } } };
  return [
    {
      ...{ method: "GET", path: "/webhooks/failed", type: "root" },
      handler: handlerOf(async () => ({ status: 200, body: { data: await failedEndpoints(app) } })),
      config: { auth: false, prefix: "/admin/api", policies },
      description: {
        ...{ tag: "Admin page", bearer: "administrator", errors: [403] },
        summary: "List endpoints that do not get what is sent to them",
        answers: { 200: { description: "Those of the last fault first", schema } },
      },
    },
  ];
}

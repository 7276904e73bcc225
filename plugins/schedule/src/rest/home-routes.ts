import type { App, Route } from "@plinth/core";
import { handlerOf, type JsonSchema, type RequestInfo, type RouteSource } from "@plinth/core/http";
import { failedPlans, type HomePlan, nextPlans } from "../home/planned-lists.js";

const TEXT = { type: "string" } as const;
const NUMBER = { type: "integer" } as const;
const NULL = { type: "null" } as const;

const PLAN: JsonSchema = object(
  {
    ...{ kind: { enum: ["document", "release"] }, action: { enum: ["publish", "unpublish", "release"] } },
    ...{ at: { type: "string", format: "date-time" }, title: TEXT, reason: TEXT },
    document: {
      anyOf: [object({ uid: TEXT, documentId: TEXT, locale: { type: ["string", "null"] }, state: TEXT }), NULL],
    },
    release: { anyOf: [object({ id: NUMBER, documents: NUMBER }), NULL] },
  },
  ["kind", "action", "at", "title", "document", "release"],
);

/** `/admin/api/schedule/next` and `/admin/api/schedule/failed`, for the home screen: what the caller's role sees of it. */
export const homeRoutes: RouteSource = {
  createRoutes: ({ app }) => [
    route(app, "next", "List what is published and taken back next, ten at most", nextPlans),
    route(app, "failed", "List plans and releases that failed, ten at most", failedPlans),
  ],
};

function route(
  app: App,
  name: string,
  summary: string,
  list: (app: App, request: RequestInfo) => Promise<readonly HomePlan[]>,
): Route {
  const policies = [{ name: "plugin::api-tokens.is-administrator", config: { anyRole: true } }];
  const answers = {
    200: { description: "Those that the caller sees", schema: object({ data: { type: "array", items: PLAN } }) },
  };
  return {
    ...{ method: "GET", path: `/schedule/${name}`, type: "root" },
    handler: handlerOf(async (request) => ({ status: 200, body: { data: await list(app, request) } })),
    config: { auth: false, prefix: "/admin/api", policies },
    description: { tag: "Admin page", bearer: "administrator", summary, answers },
  };
}

function object(properties: Readonly<Record<string, JsonSchema>>, required = Object.keys(properties)): JsonSchema {
  return { type: "object", required, properties };
}

import type { Ability, App, HttpContext, Route } from "@plinth/core";
import { unlimited } from "@plinth/core/access";
import type { RouteDescription } from "@plinth/core/http";
import { openApi } from "./contract.js";
import { bothOf } from "./document/openapi-service.js";

const description: RouteDescription = {
  summary: "This document",
  description: "It contains what the caller has permission for; in development, everything.",
  tag: "Server",
  name: "getOpenApi",
  query: {
    role: {
      description: "Only what this role may do, by its type: `public`",
      schema: { type: "string", minLength: 1 },
    },
  },
  answers: { 200: { description: "OpenAPI 3.1", schema: { type: "object", required: ["openapi", "info", "paths"] } } },
};

/** Where the document is. In development it lists everything; else what the caller may call, if they may read it. */
export function createDocumentRoute(isDeveloping: boolean): Route {
  const config = { prefix: "", ...(isDeveloping ? { auth: false as const } : {}) };
  return { method: "GET", path: "/openapi.json", handler: "document.find", api: "other", config, description };
}

/** Answers with the document for the caller, or for a role. @throws PLINTH_OPENAPI_UNKNOWN_ROLE (400) */
export async function serveDocument(app: App, isDeveloping: boolean, ctx: HttpContext): Promise<object> {
  const own: Ability = isDeveloping ? unlimited : ctx.state.actor.ability;
  const { role } = ctx.query;
  const service = app.service(openApi);
  if (role === undefined) return service.document(own);
  return service.document(bothOf(own, await service.abilityOfRole(String(role))));
}

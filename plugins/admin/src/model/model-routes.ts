import type { App, Route } from "@plinth/core";
import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import { adminRoute } from "../access/admin-route.js";
import { sessionOf } from "../access/gate.js";
import { buildBoot } from "./boot.js";
import { modelViews } from "./model-views.js";

/** What the page needs to know before it shows content. */
export function createModelRoutes(app: App): readonly Route[] {
  return [
    adminRoute({
      ...{ method: "GET", path: "/boot", description: descriptions.boot },
      handler: (ctx) => buildBoot(app, sessionOf(ctx)),
    }),
    adminRoute({
      ...{ method: "GET", path: "/model", description: descriptions.model },
      handler: (ctx) => {
        const views = app.service(modelViews);
        // Kept by the browser, and asked whether it is still right.
        ctx.set("Cache-Control", "private, no-cache");
        ctx.state.version = views.version;
        return views.of(ctx.state.actor.ability);
      },
    }),
  ];
}

const LIST = { type: "array", items: { type: "object" } } as const;
const PAGE = { tag: "Admin page", bearer: "administrator" } as const;

const descriptions = {
  boot: {
    ...PAGE,
    summary: "Get what the admin page starts with",
    answers: { 200: { description: "Who is signed in, what they may do, and what there is", schema: bootSchema() } },
    errors: [403],
  },
  model: {
    ...PAGE,
    summary: "Get the content-types and components that the caller may find",
    headers: { "If-None-Match": "ETag of an earlier answer" },
    answers: {
      200: {
        description: "How forms and lists show them",
        schema: { type: "object", required: ["types", "components"], properties: { types: LIST, components: LIST } },
      },
    },
  },
} satisfies Readonly<Record<string, RouteDescription>>;

function bootSchema(): JsonSchema {
  const text = { type: "string" } as const;
  const properties = {
    ...{ user: { type: "object" }, may: { type: "object" } },
    ...{ actions: { type: "array", items: text }, plugins: { type: "array", items: text } },
    ...{ locales: LIST, modelVersion: text, environment: text },
  };
  return { type: "object", required: Object.keys(properties), properties };
}

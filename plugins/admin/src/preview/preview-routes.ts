import type { App, Route } from "@plinth/core";
import { handlerOf, type RouteDescription } from "@plinth/core/http";
import { adminRoute } from "../access/admin-route.js";
import { sessionOf } from "../access/gate.js";
import { openPreview } from "./open-preview.js";
import { READ_PREVIEW } from "./previews.js";
import { readPreview } from "./read-preview.js";

/** What opens a preview, and what its front end reads. */
export function createPreviewRoutes(app: App): readonly Route[] {
  return [
    adminRoute({
      ...{ method: "POST", path: "/preview/:uid/:id", description: descriptions.open },
      handler: handlerOf((request) => openPreview(app, sessionOf(request.context), request)),
    }),
    {
      ...{ method: "GET", path: "/preview/:uid/:documentId", description: descriptions.read },
      handler: handlerOf((request) => readPreview(app, request)),
      config: { prefix: "", auth: { scope: [READ_PREVIEW] } },
    },
  ];
}

const TEXT = { type: "string" } as const;

const descriptions = {
  open: {
    ...{ tag: "Admin page", bearer: "administrator", errors: [403, 409] },
    summary: "Get the address of a document's preview, with a token for its front end",
    query: { locale: { description: "Default: the default locale", schema: TEXT } },
    answers: {
      200: {
        description: "Where the front end shows it",
        schema: {
          type: "object",
          required: ["url", "token", "expiresAt"],
          properties: { url: TEXT, token: TEXT, expiresAt: { type: "string", format: "date-time" } },
        },
      },
    },
  },
  read: {
    tag: "Preview",
    summary: "Read the draft of a preview, with what its administrator typed",
    description: "The bearer is a preview token. `fields` and `populate` are as in the content API.",
    query: {
      fields: { description: "As in the content API", schema: TEXT },
      populate: { description: "As in the content API", schema: {} },
      status: { description: "`draft`, as without it", schema: { enum: ["draft"] } },
      locale: { description: "That of the token, as without it", schema: TEXT },
    },
    answers: {
      200: {
        description: "The document as it would be after a save",
        schema: { type: "object", required: ["data", "meta"], properties: { data: { type: "object" }, meta: {} } },
      },
    },
  },
} satisfies Readonly<Record<string, RouteDescription>>;

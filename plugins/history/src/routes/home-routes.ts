import type { App, Route } from "@plinth/core";
import { handlerOf } from "@plinth/core/http";
import type { KeptTypes } from "../kept-types.js";
import { recentChanges } from "../reading/recent-changes.js";

const DOCUMENT = {
  type: "object",
  required: ["uid", "documentId", "title", "at", "by"],
  properties: {
    ...{ uid: { type: "string" }, documentId: { type: "string" }, locale: { type: ["string", "null"] } },
    ...{ title: { type: "string" }, at: { type: "string", format: "date-time" }, by: { type: ["object", "null"] } },
  },
} as const;

/** `/admin/api/history/recent`, for the home screen. It says no more than the lists of documents, so it takes no action of its own. */
export function homeRoutes(app: App, kept: KeptTypes): readonly Route[] {
  const policies = [{ name: "plugin::api-tokens.is-administrator", config: { anyRole: true } }];
  const schema = { type: "object", required: ["data"], properties: { data: { type: "array", items: DOCUMENT } } };
  return [
    {
      ...{ method: "GET", path: "/history/recent", type: "root" },
      handler: handlerOf(async (request) => ({ status: 200, body: { data: await recentChanges(app, kept, request) } })),
      config: { auth: false, prefix: "/admin/api", policies },
      description: {
        ...{
          tag: "Admin page",
          bearer: "administrator",
          summary: "List what others changed last, ten documents at most",
        },
        answers: { 200: { description: "The latest first", schema } },
      },
    },
  ];
}

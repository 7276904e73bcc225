import type { App, Route } from "@plinth/core";
import { type Endpoint, handlerOf, type RequestInfo, type RouteDescription, type RouteMethod } from "@plinth/core/http";
import { adminRoute } from "./access/admin-route.js";
import type { AdminConfig } from "./config.js";
import { exportList } from "./csv/export-list.js";
import { listChanged } from "./home/changed-documents.js";
import { descriptions } from "./list-descriptions.js";
import { getPreference, putPreference } from "./preferences/preferences.js";
import { searchDocuments } from "./search/search-documents.js";
import { createView, deleteView, listViews, updateView } from "./views/saved-views.js";

/** The REST of saved lists, their files, the search of everything and the home screen. Each endpoint asks for what it needs. */
export function createListRoutes(app: App, config: AdminConfig): readonly Route[] {
  const on = (
    method: RouteMethod,
    path: string,
    endpoint: (app: App, request: RequestInfo) => ReturnType<Endpoint>,
    description: RouteDescription,
  ) => adminRoute({ method, path, handler: handlerOf((request) => endpoint(app, request)), description });
  return [
    on("GET", "/views/:uid", listViews, descriptions.views),
    on("POST", "/views/:uid", createView, descriptions.createView),
    on("PUT", "/views/:id", updateView, descriptions.updateView),
    on("DELETE", "/views/:id", deleteView, descriptions.deleteView),
    on("GET", "/preferences/:key", getPreference, descriptions.preference),
    on("PUT", "/preferences/:key", putPreference, descriptions.putPreference),
    on("GET", "/search", searchDocuments, descriptions.search),
    on("GET", "/content/:uid/export", (_app, request) => exportList(app, request, config.csv), descriptions.export),
    on("GET", "/home/changed", listChanged, descriptions.changed),
  ];
}

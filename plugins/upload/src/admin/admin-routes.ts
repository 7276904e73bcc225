import { type App, type ExtensionRef, extensionRef, type Handler, type Route } from "@plinth/core";
import { handlerOf, type RouteDescription, type RouteMethod } from "@plinth/core/http";
import type { AdminExtensions } from "@plinth/plugin-admin";
import { changeFile, createUpload, deleteFile, getFile, listFiles } from "./admin-files.js";
import { adminDescriptions } from "./describe-admin-routes.js";

/** What is added to the admin page, known by its name alone: the plugin need not be installed. */
export const admin: ExtensionRef<AdminExtensions> = extensionRef<AdminExtensions>("plugin::admin.extensions");

/** How administrators find, upload and change files; the admin plugin says who they are. */
export function createAdminRoutes(app: App): readonly Route[] {
  return [
    routeOf(
      "GET",
      "/files",
      handlerOf((request) => listFiles(app, request)),
      adminDescriptions.list,
    ),
    routeOf("POST", "/files", createUpload(app), adminDescriptions.upload),
    routeOf(
      "GET",
      "/files/:documentId",
      handlerOf((request) => getFile(app, request)),
      adminDescriptions.findOne,
    ),
    routeOf(
      "PUT",
      "/files/:documentId",
      handlerOf((request) => changeFile(app, request)),
      adminDescriptions.update,
    ),
    routeOf(
      "DELETE",
      "/files/:documentId",
      handlerOf((request) => deleteFile(app, request)),
      adminDescriptions.remove,
    ),
  ];
}

/** The policy lets administrators of every role pass: each endpoint asks for the action on files that it needs. */
function routeOf(method: RouteMethod, path: string, handler: Handler, description: RouteDescription): Route {
  const policies = [{ name: "plugin::api-tokens.is-administrator", config: { anyRole: true } }];
  return { method, path, handler, type: "root", config: { auth: false, prefix: "/admin/api", policies }, description };
}

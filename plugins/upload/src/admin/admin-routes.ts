import { type App, type ExtensionRef, extensionRef, type Handler, type Route } from "@plinth/core";
import {
  type EndpointAnswer,
  handlerOf,
  type RequestInfo,
  type RouteDescription,
  type RouteMethod,
} from "@plinth/core/http";
import type { AdminExtensions } from "@plinth/plugin-admin";
import { namingStorageFaults } from "../services/storage-faults.js";
import { changeFile, createReplace, createUpload, deleteFile, getFile, listFiles } from "./admin-files.js";
import { changeFolder, createFolder, deleteFolder, listFolders } from "./admin-folders.js";
import { cutFile } from "./cut-file.js";
import { adminDescriptions } from "./describe-admin-routes.js";
import { folderDescriptions } from "./describe-folder-routes.js";
import { deleteFiles, listFileUses, listUsesOfFiles, moveFiles } from "./file-selection.js";

/** What is added to the admin page, known by its name alone: the plugin need not be installed. */
export const admin: ExtensionRef<AdminExtensions> = extensionRef<AdminExtensions>("plugin::admin.extensions");

/** How administrators find, upload and change files, and their folders; the admin plugin says who they are. */
export function createAdminRoutes(app: App): readonly Route[] {
  const to = (endpoint: (app: App, request: RequestInfo) => Promise<EndpointAnswer>) =>
    handlerOf((request) => namingStorageFaults(() => endpoint(app, request)));
  const { list, upload, findOne, update, remove, uses, replace, cut, move, removeMany, usesOfMany } = adminDescriptions;
  return [
    routeOf("GET", "/files", to(listFiles), list),
    routeOf("POST", "/files", createUpload(app), upload),
    routeOf("GET", "/files/:documentId", to(getFile), findOne),
    routeOf("PUT", "/files/:documentId", to(changeFile), update),
    routeOf("DELETE", "/files/:documentId", to(deleteFile), remove),
    routeOf("GET", "/files/:documentId/uses", to(listFileUses), uses),
    routeOf("POST", "/files/:documentId/replace", createReplace(app), replace),
    routeOf("POST", "/files/:documentId/cut", to(cutFile), cut),
    routeOf("POST", "/files/actions/move", to(moveFiles), move),
    routeOf("POST", "/files/actions/delete", to(deleteFiles), removeMany),
    routeOf("POST", "/files/actions/uses", to(listUsesOfFiles), usesOfMany),
    routeOf("GET", "/folders", to(listFolders), folderDescriptions.list),
    routeOf("POST", "/folders", to(createFolder), folderDescriptions.create),
    routeOf("PUT", "/folders/:documentId", to(changeFolder), folderDescriptions.update),
    routeOf("DELETE", "/folders/:documentId", to(deleteFolder), folderDescriptions.remove),
  ];
}

/** The policy lets administrators of every role pass: each endpoint asks for the action on files that it needs. */
function routeOf(method: RouteMethod, path: string, handler: Handler, description: RouteDescription): Route {
  const policies = [{ name: "plugin::api-tokens.is-administrator", config: { anyRole: true } }];
  return { method, path, handler, type: "root", config: { auth: false, prefix: "/admin/api", policies }, description };
}

import type { Route } from "@plinth/core";
import { describeFolder, fileDescriptions, servedDescription } from "./describe-routes.js";

/** At the root of the API, where clients expect it; the rest is below the plugin's own prefix. */
const root = { prefix: "" } as const;

const { upload, find, findPage, findOne, findUses, destroy } = fileDescriptions;

/** @source plugins/content-api/WIRE.md#files */
export const fileRoutes: readonly Route[] = [
  { method: "POST", path: "/upload", handler: "content-api.upload", config: root, description: upload },
  { method: "GET", path: "/files", handler: "content-api.find", description: find },
  { method: "GET", path: "/files/page", handler: "content-api.findPage", description: findPage },
  { method: "GET", path: "/files/:id", handler: "content-api.findOne", description: findOne },
  { method: "GET", path: "/files/:id/uses", handler: "content-api.findUses", description: findUses },
  { method: "DELETE", path: "/files/:id", handler: "content-api.destroy", description: destroy },
];

/** Where the files are that this server serves itself. @source plugins/content-api/WIRE.md#files */
export const SERVED_PATH = "/uploads";

/** Public: the url of a file is the only secret. */
export const servedRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${SERVED_PATH}/:key`,
    type: "root",
    handler: "served.findOne",
    config: { auth: false, prefix: "" },
    description: servedDescription,
  },
];

/** Folders, as content of any other type. */
export const folderRoutes: readonly Route[] = [
  { method: "GET", path: "/folders", handler: "folder.find", description: describeFolder("find") },
  { method: "GET", path: "/folders/:documentId", handler: "folder.findOne", description: describeFolder("findOne") },
  { method: "POST", path: "/folders", handler: "folder.create", description: describeFolder("create") },
  { method: "PUT", path: "/folders/:documentId", handler: "folder.update", description: describeFolder("update") },
  { method: "DELETE", path: "/folders/:documentId", handler: "folder.delete", description: describeFolder("delete") },
];

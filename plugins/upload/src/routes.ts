import type { Route } from "@plinth/core";

/** At the root of the API, where clients expect it; the rest is below the plugin's own prefix. */
const root = { prefix: "" } as const;

/** @source wire.md section 10; section 13, 39 */
export const fileRoutes: readonly Route[] = [
  { method: "POST", path: "/upload", handler: "content-api.upload", config: root },
  { method: "GET", path: "/files", handler: "content-api.find" },
  { method: "GET", path: "/files/page", handler: "content-api.findPage" },
  { method: "GET", path: "/files/:id", handler: "content-api.findOne" },
  { method: "GET", path: "/files/:id/uses", handler: "content-api.findUses" },
  { method: "DELETE", path: "/files/:id", handler: "content-api.destroy" },
];

/** Where the files are that this server serves itself. @source wire.md section 10 */
export const SERVED_PATH = "/uploads";

/** Open to everybody: who knows the name of a file may see it. */
export const servedRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${SERVED_PATH}/:key`,
    type: "root",
    handler: "served.findOne",
    config: { auth: false, prefix: "" },
  },
];

/** Folders, as content of any other type. */
export const folderRoutes: readonly Route[] = [
  { method: "GET", path: "/folders", handler: "folder.find" },
  { method: "GET", path: "/folders/:documentId", handler: "folder.findOne" },
  { method: "POST", path: "/folders", handler: "folder.create" },
  { method: "PUT", path: "/folders/:documentId", handler: "folder.update" },
  { method: "DELETE", path: "/folders/:documentId", handler: "folder.delete" },
];

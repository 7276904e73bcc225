import type { Route } from "@plinth/core";
import { noStore } from "../no-store.js";
import { roleDescriptions, userDescriptions } from "./describe-routes.js";

/** Users stand at the root of the API. */
const users = { prefix: "", middlewares: [noStore] } as const;

/** @source plugins/content-api/WIRE.md#users-and-roles */
export const userRoutes: readonly Route[] = [
  { method: "GET", path: "/users", handler: "user.find", config: users, description: userDescriptions.find },
  { method: "GET", path: "/users/count", handler: "user.count", config: users, description: userDescriptions.count },
  { method: "GET", path: "/users/me", handler: "user.me", config: users, description: userDescriptions.me },
  { method: "GET", path: "/users/:id", handler: "user.findOne", config: users, description: userDescriptions.findOne },
  { method: "POST", path: "/users", handler: "user.create", config: users, description: userDescriptions.create },
  { method: "PUT", path: "/users/:id", handler: "user.update", config: users, description: userDescriptions.update },
  {
    method: "DELETE",
    path: "/users/:id",
    handler: "user.destroy",
    config: users,
    description: userDescriptions.destroy,
  },
];

/** Below the plugin's own prefix. @source plugins/content-api/WIRE.md#users-and-roles */
export const roleRoutes: readonly Route[] = [
  { method: "GET", path: "/roles", handler: "role.find", description: roleDescriptions.find },
  { method: "GET", path: "/roles/:id", handler: "role.findOne", description: roleDescriptions.findOne },
  { method: "POST", path: "/roles", handler: "role.createRole", description: roleDescriptions.createRole },
  { method: "PUT", path: "/roles/:id", handler: "role.updateRole", description: roleDescriptions.updateRole },
  { method: "DELETE", path: "/roles/:id", handler: "role.deleteRole", description: roleDescriptions.deleteRole },
  {
    method: "GET",
    path: "/permissions",
    handler: "permissions.getPermissions",
    description: roleDescriptions.getPermissions,
  },
];

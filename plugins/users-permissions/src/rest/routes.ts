import type { Route } from "@plinth/core";

/** Users stand at the root of the API. */
const users = { prefix: "" } as const;

/** @source wire.md section 9 */
export const userRoutes: readonly Route[] = [
  { method: "GET", path: "/users", handler: "user.find", config: users },
  { method: "GET", path: "/users/count", handler: "user.count", config: users },
  { method: "GET", path: "/users/me", handler: "user.me", config: users },
  { method: "GET", path: "/users/:id", handler: "user.findOne", config: users },
  { method: "POST", path: "/users", handler: "user.create", config: users },
  { method: "PUT", path: "/users/:id", handler: "user.update", config: users },
  { method: "DELETE", path: "/users/:id", handler: "user.destroy", config: users },
];

/** Below the plugin's own prefix. @source wire.md section 9 */
export const roleRoutes: readonly Route[] = [
  { method: "GET", path: "/roles", handler: "role.find" },
  { method: "GET", path: "/roles/:id", handler: "role.findOne" },
  { method: "POST", path: "/roles", handler: "role.createRole" },
  { method: "PUT", path: "/roles/:id", handler: "role.updateRole" },
  { method: "DELETE", path: "/roles/:id", handler: "role.deleteRole" },
  { method: "GET", path: "/permissions", handler: "permissions.getPermissions" },
];

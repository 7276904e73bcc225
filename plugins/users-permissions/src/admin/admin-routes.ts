import { type App, type ExtensionRef, extensionRef, type Route } from "@plinth/core";
import { type EndpointAnswer, handlerOf, type RequestInfo, type RouteMethod } from "@plinth/core/http";
import type { AdminExtensions } from "@plinth/plugin-admin";
import { adminDescriptions } from "./describe-admin-routes.js";
import {
  createEndUser,
  deleteEndUser,
  endUserSessions,
  getEndUser,
  listEndUsers,
  listUserAttributes,
  listUserSessions,
  updateEndUser,
} from "./end-users.js";
import {
  createUserRole,
  deleteUserRole,
  getUserRole,
  listRoleActions,
  listUserRoles,
  updateUserRole,
} from "./user-roles.js";

/** What is added to the admin page, known by its name alone: the plugin need not be installed. */
export const admin: ExtensionRef<AdminExtensions> = extensionRef<AdminExtensions>("plugin::admin.extensions");

/** What roles of administrators can be granted. Neither reaches what administrators may do. */
export const ADMIN_ACTIONS = {
  "plugin::users-permissions.users": "make, change and delete end users, set their role and their password",
  "plugin::users-permissions.roles": "change what roles of end users may do",
} as const;

/** The action of a route; `any`: one of the two, which the endpoint asks for. */
type AdminAction = keyof typeof ADMIN_ACTIONS | "any";

const USERS = "plugin::users-permissions.users";
const ROLES = "plugin::users-permissions.roles";

/** What is done, by the name of its description: how it is asked for, what it needs, and what answers. */
const ROUTES = {
  listUsers: ["GET", "/users", USERS, listEndUsers],
  createUser: ["POST", "/users", USERS, createEndUser],
  listAttributes: ["GET", "/users/attributes", USERS, listUserAttributes],
  getUser: ["GET", "/users/:documentId", USERS, getEndUser],
  updateUser: ["PUT", "/users/:documentId", USERS, updateEndUser],
  deleteUser: ["DELETE", "/users/:documentId", USERS, deleteEndUser],
  listSessions: ["GET", "/users/:documentId/sessions", USERS, listUserSessions],
  endSessions: ["DELETE", "/users/:documentId/sessions", USERS, endUserSessions],
  listRoles: ["GET", "/user-roles", "any", listUserRoles],
  createRole: ["POST", "/user-roles", ROLES, createUserRole],
  listActions: ["GET", "/user-roles/actions", ROLES, listRoleActions],
  getRole: ["GET", "/user-roles/:documentId", ROLES, getUserRole],
  updateRole: ["PUT", "/user-roles/:documentId", ROLES, updateUserRole],
  deleteRole: ["DELETE", "/user-roles/:documentId", ROLES, deleteUserRole],
} as const satisfies Record<
  keyof typeof adminDescriptions,
  readonly [
    method: RouteMethod,
    path: string,
    action: AdminAction,
    endpoint: (app: App, request: RequestInfo) => Promise<EndpointAnswer>,
  ]
>;

/** How administrators manage end users and their roles; the plugin api-tokens says who administrators are. */
export function createAdminRoutes(app: App): readonly Route[] {
  return Object.entries(ROUTES).map(([name, [method, path, action, endpoint]]) => {
    const gate = action === "any" ? { anyRole: true } : { action };
    const policies = [{ name: "plugin::api-tokens.is-administrator", config: gate }];
    return {
      ...{ method, path, type: "root" },
      handler: handlerOf((request) => endpoint(app, request)),
      config: { auth: false, prefix: "/admin/api", policies },
      description: adminDescriptions[name as keyof typeof ROUTES],
    };
  });
}

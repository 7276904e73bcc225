/** The public entry of the users-permissions plugin: the plugin itself and its contract. */
import { definePlugin } from "@plinth/core";
import { type UsersPermissionsConfig, parseConfig } from "./config.js";
import { permissionType } from "./content-types/permission.js";
import { roleType } from "./content-types/role.js";
import { sessionType } from "./content-types/session.js";
import { userType } from "./content-types/user.js";

export type { UsersPermissionsConfig } from "./config.js";
export type {
  Account,
  Jwt,
  Auth,
  Mail,
  Mailer,
  NewUser,
  PermissionTree,
  Role,
  RoleChanges,
  Roles,
  SessionInfo,
  Sessions,
  SessionTokens,
  SignedIn,
  TokenField,
  TokenPayload,
  TreeLeaf,
  UserChanges,
  Users,
} from "./contract.js";
export { auth, jwt, mailer, roles, sessions, users } from "./contract.js";

/** Users who sign in, and roles that say what they may do. */
export const usersPermissionsPlugin = definePlugin<UsersPermissionsConfig>({
  name: "users-permissions",
  config: parseConfig,
  contentTypes: { user: userType, role: roleType, permission: permissionType, session: sessionType },
});

export default usersPermissionsPlugin;

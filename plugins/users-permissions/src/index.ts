/** The public entry of the users-permissions plugin: the plugin itself and its contract. */
export { usersPermissionsPlugin as default, usersPermissionsPlugin } from "./plugin.js";
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

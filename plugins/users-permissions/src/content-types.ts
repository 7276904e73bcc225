import type { RawContentType } from "@plinth/core";

/** The uid of users. */
export const USER = "plugin::users-permissions.user";

/** The longest e-mail address; a name may be one. @source RFC 5321, 4.5.3.1, with errata 1690 of RFC 3696 */
export const MAX_NAME_LENGTH = 254;

/** User accounts. Everything that an attacker could use to take one over is private. */
export const userType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "up_users",
  info: { singularName: "user", pluralName: "users", displayName: "User" },
  pluginOptions: { events: { subject: "user" }, audit: { values: ["role", "blocked", "confirmed"] } },
  options: {
    draftAndPublish: false,
    archive: { part: "people", key: ["email"], secrets: ["resetPasswordToken", "confirmationToken"] },
  },
  attributes: {
    username: { type: "string", minLength: 3, maxLength: MAX_NAME_LENGTH, unique: true, required: true },
    /** Always in lower case. */
    email: { type: "email", minLength: 6, maxLength: MAX_NAME_LENGTH, unique: true, required: true },
    /** The keys by which names and addresses are compared: see name-key.ts. */
    usernameKey: { type: "string", private: true, visible: false, writable: false, searchable: false, index: true },
    emailKey: { type: "string", private: true, visible: false, writable: false, searchable: false, index: true },
    provider: { type: "string", default: "local" },
    password: { type: "password", minLength: 6, private: true },
    resetPasswordToken: { type: "string", private: true, index: true },
    confirmationToken: { type: "string", private: true, index: true },
    confirmed: { type: "boolean", default: false },
    blocked: { type: "boolean", default: false },
    /** Changes with each new password and each end of all sessions: tokens carry it, and older ones are rejected. */
    sessionVersion: { type: "integer", default: 0, private: true, visible: false },
    role: { type: "relation", relation: "manyToOne", target: "plugin::users-permissions.role", inversedBy: "users" },
  },
};

/** The uid of roles. */
export const ROLE = "plugin::users-permissions.role";

/** Permissions that several users share. */
export const roleType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "up_roles",
  info: { singularName: "role", pluralName: "roles", displayName: "Role" },
  pluginOptions: { "content-type-builder": { visible: false } },
  // A caller who may change roles could lift any limit on doing so.
  options: { draftAndPublish: false, limitable: ["find", "findOne"], archive: { part: "settings", key: ["type"] } },
  attributes: {
    name: { type: "string", required: true },
    description: { type: "string" },
    /** What configuration and code call the role: `public`. */
    type: { type: "string", unique: true },
    permissions: {
      type: "relation",
      relation: "oneToMany",
      target: "plugin::users-permissions.permission",
      mappedBy: "role",
    },
    /** Private: callers who may read a role do not see its users. */
    users: {
      type: "relation",
      relation: "oneToMany",
      target: "plugin::users-permissions.user",
      mappedBy: "role",
      private: true,
    },
  },
};

/** The uid of permissions. */
export const PERMISSION = "plugin::users-permissions.permission";

/** One action that one role may do. */
export const permissionType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "up_permissions",
  info: { singularName: "permission", pluralName: "permissions", displayName: "Permission" },
  // What is granted to whom is no secret.
  pluginOptions: { "content-type-builder": { visible: false }, audit: { values: ["action", "role"] } },
  // Read below roles; otherwise they are the roles' own.
  options: { draftAndPublish: false, limitable: ["find"], archive: { part: "settings", key: ["role", "action"] } },
  attributes: {
    /** `api::article.article.find` */
    action: { type: "string", required: true },
    role: {
      type: "relation",
      relation: "manyToOne",
      target: "plugin::users-permissions.role",
      inversedBy: "permissions",
    },
  },
};

/** The uid of sessions. */
export const SESSION = "plugin::users-permissions.session";

/** One sign-in, in refresh mode. */
export const sessionType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "up_sessions",
  info: { singularName: "session", pluralName: "sessions", displayName: "Session" },
  // Seen and ended by their own routes, each by its user.
  options: { draftAndPublish: false, limitable: [], archive: { part: "none" } },
  attributes: {
    user: { type: "relation", relation: "manyToOne", target: "plugin::users-permissions.user" },
    /** Hash of the refresh token that is valid now. */
    tokenHash: { type: "string", unique: true, private: true },
    /** Hash of the one before it, and when it was exchanged: see `reuseWindow`. */
    previousHash: { type: "string", private: true },
    rotatedAt: { type: "datetime", private: true },
    /** As the client names its device, and as its `User-Agent` does. */
    deviceId: { type: "string" },
    deviceName: { type: "string" },
    loginAt: { type: "datetime" },
    /** Pushed on by each refresh, up to maxExpiresAt. */
    expiresAt: { type: "datetime", index: true },
    maxExpiresAt: { type: "datetime", private: true },
    /** The user's session version when it began: ending all sessions of a user ends those of an older one. */
    version: { type: "integer", private: true },
  },
};

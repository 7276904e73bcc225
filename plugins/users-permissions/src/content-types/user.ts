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
  options: { draftAndPublish: false },
  attributes: {
    username: { type: "string", minLength: 3, maxLength: MAX_NAME_LENGTH, unique: true, required: true },
    /** Always in lower case. */
    email: { type: "email", minLength: 6, maxLength: MAX_NAME_LENGTH, unique: true, required: true },
    /** The keys by which names and addresses are compared: see name-key.ts. */
    usernameKey: { type: "string", private: true, writable: false, searchable: false, index: true },
    emailKey: { type: "string", private: true, writable: false, searchable: false, index: true },
    provider: { type: "string", default: "local" },
    password: { type: "password", minLength: 6, private: true },
    resetPasswordToken: { type: "string", private: true, index: true },
    confirmationToken: { type: "string", private: true, index: true },
    confirmed: { type: "boolean", default: false },
    blocked: { type: "boolean", default: false },
    /** Changes with each new password and each end of all sessions: tokens carry it, and older ones are rejected. */
    sessionVersion: { type: "integer", default: 0, private: true },
    role: {
      type: "relation",
      relation: "manyToOne",
      target: "plugin::users-permissions.role",
      inversedBy: "users",
    },
  },
};

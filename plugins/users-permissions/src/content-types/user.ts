import type { RawContentType } from "@plinth/core";

/** The uid of users. */
export const USER = "plugin::users-permissions.user";

/** People who sign in. Everything that a stranger could use to become one of them is private. */
export const userType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "up_users",
  info: { singularName: "user", pluralName: "users", displayName: "User" },
  options: { draftAndPublish: false },
  attributes: {
    username: { type: "string", minLength: 3, unique: true, required: true },
    /** Lower case, whoever writes it. */
    email: { type: "email", minLength: 6, unique: true, required: true },
    provider: { type: "string", default: "local" },
    password: { type: "password", minLength: 6, private: true },
    resetPasswordToken: { type: "string", private: true, index: true },
    confirmationToken: { type: "string", private: true, index: true },
    confirmed: { type: "boolean", default: false },
    blocked: { type: "boolean", default: false },
    /** One more with each new password and each end of all sessions: tokens carry it, and older ones are refused. */
    sessionVersion: { type: "integer", default: 0, private: true },
    role: {
      type: "relation",
      relation: "manyToOne",
      target: "plugin::users-permissions.role",
      inversedBy: "users",
    },
  },
};

import type { RawContentType } from "@plinth/core";

/** The uid of roles. */
export const ROLE = "plugin::users-permissions.role";

/** Permissions that several users share. */
export const roleType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "up_roles",
  info: { singularName: "role", pluralName: "roles", displayName: "Role" },
  // A caller who may change roles could lift any limit on doing so.
  options: { draftAndPublish: false, limitable: ["find", "findOne"] },
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

import type { RawContentType } from "@plinth/core";

/** The uid of permissions. */
export const PERMISSION = "plugin::users-permissions.permission";

/** One action that one role may do. */
export const permissionType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "up_permissions",
  info: { singularName: "permission", pluralName: "permissions", displayName: "Permission" },
  // Read below roles; otherwise they are the roles' own.
  options: { draftAndPublish: false, limitable: ["find"] },
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

import type { RawContentType } from "@plinth/core";

/** Uid of the content-type of roles. */
export const ROLE_TYPE = "plugin::admin.role";

/** Roles that are kept in the database, and what the database adds to those of the configuration. */
export const roleType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "admin_roles",
  info: { singularName: "admin-role", pluralName: "admin-roles", displayName: "Role of administrators" },
  pluginOptions: { audit: { values: ["name", "grant", "requiresSecondFactor"] } },
  // Managed by administrators; no action of the content API reaches them.
  options: { limitable: [], archive: { part: "settings", key: ["name"] } },
  attributes: {
    name: { type: "string", required: true, unique: true, maxLength: 100 },
    description: { type: "text", maxLength: 2000 },
    grant: { type: "json", required: true },
    /** Whether its accounts need a second factor. */
    requiresSecondFactor: { type: "boolean", default: false },
  },
};

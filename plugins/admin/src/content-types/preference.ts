import type { RawContentType } from "@plinth/core";

/** Uid of preferences. */
export const PREFERENCE_TYPE = "plugin::admin.preference";

/** How administrators want their page: one value by account and name. */
export const preferenceType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "admin_preferences",
  info: { singularName: "admin-preference", pluralName: "admin-preferences", displayName: "Preference" },
  // No action is about them: everybody has their own.
  options: { limitable: [], archive: { part: "none" } },
  attributes: {
    /** Account and name, which together are one preference. */
    key: { type: "string", required: true, unique: true, maxLength: 400, private: true },
    /** documentId of the administrator. */
    account: { type: "string", required: true, index: true, private: true },
    name: { type: "string", required: true },
    /** `{ value }`: a text alone would be read as JSON. */
    kept: { type: "json", required: true },
  },
};

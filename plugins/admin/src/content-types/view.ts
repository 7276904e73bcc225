import type { RawContentType } from "@plinth/core";

/** Uid of saved views. */
export const VIEW_TYPE = "plugin::admin.view";

/** Lists that administrators saved: how documents of a type are searched, filtered, sorted and shown. */
export const viewType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "admin_views",
  info: { singularName: "saved-view", pluralName: "saved-views", displayName: "Saved view" },
  // No action is about them: everybody has their own, and a role sees those that are shared with it.
  options: { limitable: [], archive: { part: "none" } },
  attributes: {
    /** documentId of the administrator; of a shared view it may be one who is gone. */
    account: { type: "string", required: true, index: true, private: true },
    contentType: { type: "string", required: true, index: true },
    name: { type: "string", required: true, maxLength: 100 },
    state: { type: "json", required: true },
    /** Names of the roles that it is shared with. */
    roles: { type: "json", required: true },
    isShared: { type: "boolean", required: true, default: false },
  },
};

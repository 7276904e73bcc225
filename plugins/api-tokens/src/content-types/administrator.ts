import type { RawContentType } from "@plinth/core";

/** Uid of the content-type of administrators. */
export const ADMINISTRATOR_TYPE = "plugin::api-tokens.admin";

/** The people who may use the REST below `/admin`. */
export const administratorType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "administrators",
  info: { singularName: "administrator", pluralName: "administrators", displayName: "Administrator" },
  // Managed by administrators, who need no actions.
  options: { limitable: [] },
  attributes: {
    email: { type: "email", required: true, unique: true, maxLength: 254 },
    password: { type: "password", required: true, minLength: 8, private: true },
    sessionVersion: { type: "integer", required: true, default: 1, private: true },
  },
};

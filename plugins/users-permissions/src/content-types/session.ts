import type { RawContentType } from "@plinth/core";

/** The uid of sessions. */
export const SESSION = "plugin::users-permissions.session";

/** One sign-in, in refresh mode. */
export const sessionType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "up_sessions",
  info: { singularName: "session", pluralName: "sessions", displayName: "Session" },
  options: { draftAndPublish: false },
  attributes: {
    user: { type: "relation", relation: "manyToOne", target: "plugin::users-permissions.user" },
    /** Hash of the refresh token that is valid now. */
    tokenHash: { type: "string", unique: true, private: true },
    deviceName: { type: "string" },
    loginAt: { type: "datetime" },
    expiresAt: { type: "datetime", index: true },
  },
};

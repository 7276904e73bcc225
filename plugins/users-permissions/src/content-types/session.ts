import type { RawContentType } from "@plinth/core";

/** The uid of sessions. */
export const SESSION = "plugin::users-permissions.session";

/** One sign-in, in refresh mode. */
export const sessionType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "up_sessions",
  info: { singularName: "session", pluralName: "sessions", displayName: "Session" },
  // Seen and ended by their own routes, each by its user.
  options: { draftAndPublish: false, limitable: [] },
  attributes: {
    user: { type: "relation", relation: "manyToOne", target: "plugin::users-permissions.user" },
    /** Hash of the refresh token that is valid now. */
    tokenHash: { type: "string", unique: true, private: true },
    /** Hash of the one before it, and when it was exchanged: see `reuseWindow`. */
    previousHash: { type: "string", private: true },
    rotatedAt: { type: "datetime", private: true },
    deviceName: { type: "string" },
    loginAt: { type: "datetime" },
    /** Pushed on by each refresh, up to maxExpiresAt. */
    expiresAt: { type: "datetime", index: true },
    maxExpiresAt: { type: "datetime", private: true },
    /** The user's session version when it began: ending all sessions of a user ends those of an older one. */
    version: { type: "integer", private: true },
  },
};

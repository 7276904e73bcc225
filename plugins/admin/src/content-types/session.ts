import type { RawContentType } from "@plinth/core";

/** Uid of the content-type of sessions. */
export const SESSION_TYPE = "plugin::admin.session";

const HASH = { type: "string", private: true, searchable: false } as const;

/** Sessions of administrators. Of what the cookie holds there are hashes only. */
export const sessionType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "admin_sessions",
  info: { singularName: "admin-session", pluralName: "admin-sessions", displayName: "Session of an administrator" },
  options: { limitable: [], archive: { part: "none" } },
  attributes: {
    /** documentId of the administrator. */
    account: { type: "string", required: true, index: true },
    /** `sessionVersion` of the administrator when it was opened. */
    accountVersion: { type: "integer", required: true },
    handle: { ...HASH, required: true, unique: true },
    secret: { ...HASH, required: true },
    lastSecret: HASH,
    /** When `secret` replaced `lastSecret`. */
    secretSince: { type: "datetime", required: true },
    /** When `secret` came for the first time: `lastSecret` is good until a little later. */
    secretUsedAt: { type: "datetime" },
    lastUsedAt: { type: "datetime", required: true },
    endsAt: { type: "datetime", required: true },
    /** Whether the cookie outlives the browser. */
    stays: { type: "boolean", required: true },
    agent: { type: "string", maxLength: 400 },
    /** Of the address that it was opened from, whose last part is left out: `203.0.113.0/24`. */
    network: { type: "string", maxLength: 64 },
  },
};

import type { RawContentType } from "@plinth/core";

/** Uid of the content-type of tokens. */
export const TOKEN_TYPE = "plugin::api-tokens.token";

/** API tokens; their keys are kept as hashes only. */
export const tokenType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "api_tokens",
  info: { singularName: "api-token", pluralName: "api-tokens", displayName: "API token" },
  // Managed by administrators, who need no actions.
  options: { limitable: [] },
  attributes: {
    name: { type: "string", required: true, unique: true, maxLength: 200 },
    description: { type: "text", maxLength: 2000 },
    type: { type: "enumeration", enum: ["read-only", "full-access", "custom", "admin"], required: true },
    permissions: { type: "json" },
    accessKey: { type: "string", required: true, private: true, searchable: false, unique: true },
    expiresAt: { type: "datetime" },
    lastUsedAt: { type: "datetime" },
  },
};

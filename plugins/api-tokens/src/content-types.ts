import { type ExtensionRef, extensionRef, type RawContentType } from "@plinth/core";
import type { GraphqlExtension } from "@plinth/plugin-graphql";

/** Uid of the content-type of administrators. */
export const ADMINISTRATOR_TYPE = "plugin::api-tokens.admin";

/** The people who may use the REST below `/admin`. */
export const administratorType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "administrators",
  info: { singularName: "administrator", pluralName: "administrators", displayName: "Administrator" },
  // Content says who wrote it; a plugin that adds a name adds it here, too.
  authors: { fields: ["email"] },
  // Managed by administrators, who need no actions.
  options: { limitable: [], archive: { part: "people", key: ["email"] } },
  attributes: {
    email: { type: "email", required: true, unique: true, maxLength: 254 },
    password: { type: "password", required: true, minLength: 8, private: true },
    sessionVersion: { type: "integer", required: true, default: 1, private: true },
  },
};

/** Uid of the content-type of tokens. */
export const TOKEN_TYPE = "plugin::api-tokens.token";

/** API tokens; their keys are kept as hashes only. */
export const tokenType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "api_tokens",
  info: { singularName: "api-token", pluralName: "api-tokens", displayName: "API token" },
  pluginOptions: { audit: { values: ["name", "type", "permissions", "expiresAt"] } },
  // Managed by administrators, who need no actions.
  options: { limitable: [], archive: { part: "settings", key: ["name"], isSecret: true } },
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

/** The plugin graphql, by its name alone: it need not be installed. */
export const graphql: ExtensionRef<GraphqlExtension> = extensionRef<GraphqlExtension>("plugin::graphql.extension");

/** Tokens and administrators are not content. */
export function extendSchema(schema: GraphqlExtension): void {
  for (const uid of [TOKEN_TYPE, ADMINISTRATOR_TYPE]) schema.shadowCRUD(uid).disable();
}

import { type ExtensionRef, extensionRef, type RawContentType } from "@plinth/core";
import type { GraphqlExtension } from "@plinth/plugin-graphql";

/** Uid of the content-type of endpoints. */
export const ENDPOINT_TYPE = "plugin::webhooks.endpoint";

/** Addresses of others that get what happens. Those of config/webhooks are not in it. */
export const endpointType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "webhook_endpoints",
  info: { singularName: "webhook-endpoint", pluralName: "webhook-endpoints", displayName: "Webhook" },
  pluginOptions: { audit: { values: ["name", "events", "enabled"] } },
  // Managed by administrators, who need no actions.
  options: { limitable: [], archive: { part: "settings", key: ["name"], secrets: ["secrets", "headers"] } },
  attributes: {
    name: { type: "string", required: true, unique: true, maxLength: 200 },
    url: { type: "string", required: true, maxLength: 2000 },
    events: { type: "json", required: true },
    types: { type: "json" },
    secrets: { type: "json", private: true },
    headers: { type: "json", private: true },
    format: { type: "enumeration", enum: ["standard", "strapi"], required: true, default: "standard" },
    content: { type: "boolean", required: true, default: false },
    coalesce: { type: "boolean", required: true, default: false },
    enabled: { type: "boolean", required: true, default: true },
  },
};

/** The plugin graphql, by its name alone: it need not be installed. */
export const graphql: ExtensionRef<GraphqlExtension> = extensionRef<GraphqlExtension>("plugin::graphql.extension");

/** Endpoints are not content. */
export function extendSchema(schema: GraphqlExtension): void {
  schema.shadowCRUD(ENDPOINT_TYPE).disable();
}

import { type ExtensionRef, extensionRef } from "@plinth/core";
import type { GraphqlExtension } from "@plinth/plugin-graphql";
import { LOCALE_TYPE } from "./locale-type.js";

/** The plugin graphql, by its name alone: it need not be installed. */
export const graphql: ExtensionRef<GraphqlExtension> = extensionRef<GraphqlExtension>("plugin::graphql.extension");

/** Locales can be read over GraphQL, as all documents; only the service changes them, because one is the default. */
export function extendSchema(schema: GraphqlExtension): void {
  schema.shadowCRUD(LOCALE_TYPE).disableMutations();
}

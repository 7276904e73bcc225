import { type ExtensionRef, extensionRef } from "@plinth/core";
import type { GraphqlExtension } from "@plinth/plugin-graphql";
import { ADMINISTRATOR_TYPE } from "./content-types/administrator.js";
import { TOKEN_TYPE } from "./content-types/token.js";

/** The plugin graphql, by its name alone: it need not be installed. */
export const graphql: ExtensionRef<GraphqlExtension> = extensionRef<GraphqlExtension>("plugin::graphql.extension");

/** Tokens and administrators are not content. */
export function extendSchema(schema: GraphqlExtension): void {
  for (const uid of [TOKEN_TYPE, ADMINISTRATOR_TYPE]) schema.shadowCRUD(uid).disable();
}

import { type ExtensionRef, extensionRef } from "@plinth/core";
import type { GraphqlExtension } from "@plinth/plugin-graphql";
import { INVITATION_TYPE } from "./content-types/invitation.js";
import { ROLE_TYPE } from "./content-types/role.js";
import { SESSION_TYPE } from "./content-types/session.js";
import { WORKING_COPY_TYPE } from "./content-types/working-copy.js";

/** The plugin graphql, by its name alone: it need not be installed. */
export const graphql: ExtensionRef<GraphqlExtension> = extensionRef<GraphqlExtension>("plugin::graphql.extension");

/** Roles, sessions and working copies are not content. */
export function extendSchema(schema: GraphqlExtension): void {
  for (const uid of [INVITATION_TYPE, ROLE_TYPE, SESSION_TYPE, WORKING_COPY_TYPE]) schema.shadowCRUD(uid).disable();
}

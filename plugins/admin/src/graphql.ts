import { type ExtensionRef, extensionRef } from "@plinth/core";
import type { GraphqlExtension } from "@plinth/plugin-graphql";
import { INVITATION_TYPE } from "./content-types/invitation.js";
import { PREFERENCE_TYPE } from "./content-types/preference.js";
import { ROLE_TYPE } from "./content-types/role.js";
import { AUTHENTICATOR_TYPE, PASSKEY_TYPE, RECOVERY_CODE_TYPE } from "./content-types/second-factor.js";
import { SESSION_TYPE } from "./content-types/session.js";
import { VIEW_TYPE } from "./content-types/view.js";
import { WORKING_COPY_TYPE } from "./content-types/working-copy.js";

/** The plugin graphql, by its name alone: it need not be installed. */
export const graphql: ExtensionRef<GraphqlExtension> = extensionRef<GraphqlExtension>("plugin::graphql.extension");

/** What is about accounts, and what they keep, is no content. */
const OWN_TYPES = [
  ...[INVITATION_TYPE, PREFERENCE_TYPE, ROLE_TYPE, SESSION_TYPE, VIEW_TYPE, WORKING_COPY_TYPE],
  ...[AUTHENTICATOR_TYPE, PASSKEY_TYPE, RECOVERY_CODE_TYPE],
];

/** Keeps them out of the schema. */
export function extendSchema(schema: GraphqlExtension): void {
  for (const uid of OWN_TYPES) schema.shadowCRUD(uid).disable();
}

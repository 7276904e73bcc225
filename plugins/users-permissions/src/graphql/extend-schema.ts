import { type App, type ExtensionRef, extensionRef } from "@plinth/core";
import type { GraphqlExtension } from "@plinth/plugin-graphql";
import { PERMISSION, ROLE, SESSION, USER } from "../content-types.js";
import { authScopes, userScopes } from "./actions.js";
import { authResolvers } from "./auth-resolvers.js";
import { authTypeDefs, userTypeDefs } from "./type-defs.js";
import { userResolvers } from "./user-resolvers.js";

/** The plugin graphql, by its name alone: it need not be installed. */
export const graphql: ExtensionRef<GraphqlExtension> = extensionRef<GraphqlExtension>("plugin::graphql.extension");

/**
 * What this plugin changes of the schema: users and roles are written by fields of their own, which keep the rules that
 * the routes keep.
 */
export function extendSchema(schema: GraphqlExtension): void {
  schema.shadowCRUD(SESSION).disable();
  schema.shadowCRUD(PERMISSION).disableQueries().disableMutations();
  schema.shadowCRUD(ROLE).disableMutations();
  schema.shadowCRUD(USER).disableMutations().field("sessionVersion").disableInput();
  schema.use({ typeDefs: authTypeDefs, resolvers: authResolvers, resolversConfig: authScopes });
  const users = { typeDefs: userTypeDefs, resolvers: userResolvers, resolversConfig: userScopes };
  schema.use(({ app }) => (hasUsers(app, schema) ? users : {}));
}

/** Without the generated types there is nothing that the fields about users and roles could take and answer with. */
function hasUsers(app: App, schema: GraphqlExtension): boolean {
  return app.plugin("graphql").config.shadowCRUD && [USER, ROLE].every((uid) => schema.shadowCRUD(uid).isEnabled());
}

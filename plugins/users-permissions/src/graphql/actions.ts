const PLUGIN = "plugin::users-permissions";

/** Fields of the schema, and the action of the route that does the same: who may do one may do the other. */
const ACTIONS: Readonly<Record<string, string>> = {
  "Query.me": "user.me",
  "Mutation.login": "auth.callback",
  "Mutation.register": "auth.register",
  "Mutation.changePassword": "auth.changePassword",
  "Mutation.forgotPassword": "auth.forgotPassword",
  "Mutation.resetPassword": "auth.resetPassword",
  "Mutation.emailConfirmation": "auth.emailConfirmation",
  "Mutation.createUsersPermissionsUser": "user.create",
  "Mutation.updateUsersPermissionsUser": "user.update",
  "Mutation.deleteUsersPermissionsUser": "user.destroy",
  "Mutation.createUsersPermissionsRole": "role.createRole",
  "Mutation.updateUsersPermissionsRole": "role.updateRole",
  "Mutation.deleteUsersPermissionsRole": "role.deleteRole",
};

/** The action that a mutation needs: `login` is `plugin::users-permissions.auth.callback`. */
export function authAction(mutation: string): string {
  return `${PLUGIN}.${ACTIONS[`Mutation.${mutation}`]}`;
}

/** What each field of this plugin needs, for `resolversConfig`. */
export const scopes: Readonly<Record<`${string}.${string}`, { readonly auth: { readonly scope: readonly string[] } }>> =
  Object.fromEntries(
    Object.entries(ACTIONS).map(([field, action]) => [field, { auth: { scope: [`${PLUGIN}.${action}`] } }]),
  );

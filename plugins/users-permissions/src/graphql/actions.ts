const PLUGIN = "plugin::users-permissions";

/** Fields about signing in, and the action of the route that does the same: one permission covers both. */
const AUTH_ACTIONS: Readonly<Record<string, string>> = {
  "Query.me": "user.me",
  "Mutation.login": "auth.callback",
  "Mutation.register": "auth.register",
  "Mutation.changePassword": "auth.changePassword",
  "Mutation.forgotPassword": "auth.forgotPassword",
  "Mutation.resetPassword": "auth.resetPassword",
  "Mutation.emailConfirmation": "auth.emailConfirmation",
};

/** The same of fields about users and roles. */
const USER_ACTIONS: Readonly<Record<string, string>> = {
  "Mutation.createUsersPermissionsUser": "user.create",
  "Mutation.updateUsersPermissionsUser": "user.update",
  "Mutation.deleteUsersPermissionsUser": "user.destroy",
  "Mutation.createUsersPermissionsRole": "role.createRole",
  "Mutation.updateUsersPermissionsRole": "role.updateRole",
  "Mutation.deleteUsersPermissionsRole": "role.deleteRole",
};

/** The action that a mutation needs: `login` is `plugin::users-permissions.auth.callback`. */
export function authAction(mutation: string): string {
  return `${PLUGIN}.${AUTH_ACTIONS[`Mutation.${mutation}`]}`;
}

/** Fields that clients ask for whose credentials have expired. */
const CREDENTIAL_FREE: ReadonlySet<string> = new Set(
  ["login", "register", "forgotPassword", "resetPassword", "emailConfirmation"].map((name) => `Mutation.${name}`),
);

interface FieldAuth {
  readonly auth: { readonly scope: readonly string[]; readonly expired?: "public" };
}

type Scopes = Readonly<Record<`${string}.${string}`, FieldAuth>>;

/** What each field about signing in needs, for `resolversConfig`. */
export const authScopes: Scopes = scopesOf(AUTH_ACTIONS);

/** What each field about users and roles needs. */
export const userScopes: Scopes = scopesOf(USER_ACTIONS);

function scopesOf(actions: Readonly<Record<string, string>>): Scopes {
  return Object.fromEntries(
    Object.entries(actions).map(([field, action]): [string, FieldAuth] => {
      const scope = [`${PLUGIN}.${action}`];
      return [field, { auth: CREDENTIAL_FREE.has(field) ? { scope, expired: "public" } : { scope } }];
    }),
  );
}

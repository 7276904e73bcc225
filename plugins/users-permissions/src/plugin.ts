import { type App, definePlugin } from "@plinth/core";
import { transformPermissions } from "@plinth/core/access";
import { actors, actorsImpl } from "./actors/actors-ref.js";
import { watchChanges } from "./actors/watch-changes.js";
import { createAuthController } from "./auth/auth-controller.js";
import { signingInServices, stopSigningIn } from "./auth/parts.js";
import { authRoutes } from "./auth/routes.js";
import { parseConfig, type UsersPermissionsConfig } from "./config.js";
import { permissionType } from "./content-types/permission.js";
import { roleType } from "./content-types/role.js";
import { sessionType } from "./content-types/session.js";
import { userType } from "./content-types/user.js";
import { jwt, roles, sessions } from "./contract.js";
import { extendSchema, graphql } from "./graphql/extend-schema.js";
import { jwtImpl, secretsOf } from "./jwt/jwt-service.js";
import { createJwtStrategy, type StrategyServices } from "./jwt/jwt-strategy.js";
import { rateLimitMiddleware } from "./rate-limit/rate-limits.js";
import { permissionsController, roleController } from "./rest/role-controller.js";
import { roleRoutes, userRoutes } from "./rest/routes.js";
import { userController } from "./rest/user-controller.js";
import { listKnownActions } from "./roles/known-actions.js";
import { prepareRoles } from "./roles/prepare-roles.js";
import { rolesImpl } from "./roles/roles-service.js";
import { listAllStored } from "./roles/stored-permissions.js";
import { fillNameKeys } from "./users/fill-name-keys.js";
import { keepUserRules } from "./users/user-rules.js";
import { usersImpl } from "./users/users-service.js";

/** Users who sign in, and roles that say what they may do. */
export const usersPermissionsPlugin = definePlugin<UsersPermissionsConfig>({
  name: "users-permissions",
  // API tokens are tried before tokens of users.
  after: ["api-tokens"],
  config: parseConfig,
  contentTypes: { user: userType, role: roleType, permission: permissionType, session: sessionType },
  services: [usersImpl, rolesImpl, jwtImpl, actorsImpl, ...signingInServices],
  controllers: {
    user: userController,
    role: roleController,
    permissions: permissionsController,
    auth: createAuthController,
  },
  middlewares: { "rate-limit": rateLimitMiddleware },
  routes: [...userRoutes, ...roleRoutes, ...authRoutes],
  register: (context) => {
    const { app, on, strategy } = context;
    if (context.has("graphql")) extendSchema(context.extension(graphql));
    keepUserRules(context);
    watchChanges(context);
    strategy(
      "jwt",
      createJwtStrategy(() => servicesOf(app)),
    );
    on(transformPermissions, async (entries) => [...entries, ...(await listAllStored(app))]);
  },
  bootstrap: async ({ app, config, service }) => {
    await prepareRoles(app, listKnownActions(app));
    await fillNameKeys(app);
    app.permissions.noteNamed((await listAllStored(app)).map(({ action }) => action));
    // A default role that is missing, or a secret, fails the start, not the first sign-in.
    const known = service(roles);
    await known.defaultRole();
    secretsOf(app, config);
    app.auth.setPublic(() => known.publicAbility());
    if (app.config.has("access.public")) {
      app.log.warn(
        "access.public has no effect beside users-permissions; grant to the role public in config/permissions",
      );
    }
  },
  destroy: ({ app }) => stopSigningIn(app),
});

function servicesOf({ service }: App): StrategyServices {
  return { jwt: service(jwt), actors: service(actors), sessions: service(sessions) };
}

import { type App, definePlugin, resolveActor } from "@plinth/core";
import { transformGivenGrant, transformPermissions } from "@plinth/core/access";
import type { Jobs } from "@plinth/plugin-jobs";
import { actors, actorsImpl, watchChanges } from "./actors/actors.js";
import { admin, ADMIN_ACTIONS, createAdminRoutes } from "./admin/admin-routes.js";
import { accountMailsImpl, defineAccountMailJob } from "./auth/account-mail-job.js";
import { createAuthController } from "./auth/auth-controller.js";
import { authImpl } from "./auth/auth-service.js";
import { parseConfig, type UsersPermissionsConfig } from "./config.js";
import { permissionType, roleType, sessionType, userType } from "./content-types.js";
import { auth, jwt, mailer, roles, sessions } from "./contract.js";
import { extendSchema, graphql } from "./graphql/extend-schema.js";
import { createJwtStrategy, jwtImpl, secretsOf, type StrategyServices } from "./jwt/jwt.js";
import { mailerImpl } from "./mail/mailer-service.js";
import { rateLimitMiddleware, rateLimits, rateLimitsImpl } from "./rate-limit/rate-limits.js";
import { permissionsController, roleController, userController } from "./rest/controllers.js";
import { worthOf } from "./roles/grant-worth.js";
import { prepareRoles } from "./roles/default-roles.js";
import { listKnownActions } from "./roles/permission-tree.js";
import { rolesImpl } from "./roles/roles-service.js";
import { keepGivenRights } from "./roles/keep-given-rights.js";
import { listAllStored } from "./roles/stored-permissions.js";
import { authRoutes, roleRoutes, userRoutes } from "./routes.js";
import { sessionsImpl } from "./sessions/sessions-service.js";
import { deleteExpiredSessions, EXPIRED_SESSIONS } from "./sessions/expired-sessions.js";
import { defineMailJob, jobs } from "./mail/mail-job.js";
import { fillNameKeys } from "./users/name-rules.js";
import { keepUserRules } from "./users/user-rules.js";
import { usersImpl } from "./users/users-service.js";

/** Users who sign in, and roles that say what they may do. */
export const usersPermissionsPlugin = definePlugin<UsersPermissionsConfig>({
  name: "users-permissions",
  // API tokens are tried before tokens of users; jobs send its mails.
  after: ["api-tokens", "admin", "jobs"],
  config: parseConfig,
  contentTypes: { user: userType, role: roleType, permission: permissionType, session: sessionType },
  services: [
    usersImpl,
    rolesImpl,
    jwtImpl,
    actorsImpl,
    mailerImpl,
    sessionsImpl,
    accountMailsImpl,
    authImpl,
    rateLimitsImpl,
  ],
  controllers: {
    user: userController,
    role: roleController,
    permissions: permissionsController,
    auth: createAuthController,
  },
  middlewares: { "rate-limit": rateLimitMiddleware },
  routes: [...userRoutes, ...roleRoutes, ...authRoutes],
  register: (context) => {
    const { app, config, extension, has, on, route, strategy } = context;
    if (has("admin")) extension(admin).actions(ADMIN_ACTIONS);
    if (has("api-tokens")) route("admin", { createRoutes: () => createAdminRoutes(app) });
    if (has("graphql")) extendSchema(extension(graphql));
    if (has("jobs")) defineJobs(extension(jobs), config);
    context.registry("mail").add("mailer", () => app.service(mailer));
    keepUserRules(context);
    keepGivenRights(context);
    watchChanges(context);
    strategy(
      "jwt",
      createJwtStrategy(() => servicesOf(app)),
    );
    on(resolveActor, ({ kind, id }) =>
      kind === "user" && id !== undefined ? app.service(actors).recall(id) : undefined,
    );
    on(transformGivenGrant, (grant) => worthOf(app, config, grant));
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

function defineJobs(known: Jobs, config: UsersPermissionsConfig): void {
  defineMailJob(known, config);
  defineAccountMailJob(known, config);
  known.define({ name: EXPIRED_SESSIONS, run: ({ app }) => deleteExpiredSessions(app) });
  known.cron(EXPIRED_SESSIONS, "23 * * * *");
}

function servicesOf({ service }: App): StrategyServices {
  return { jwt: service(jwt), actors: service(actors), sessions: service(sessions) };
}

/** Finishes background work, and closes connections to mail servers and Redis. */
async function stopSigningIn({ service }: Pick<App, "service">): Promise<void> {
  await service(auth).settle();
  service(mailer).close();
  service(rateLimits).close();
}

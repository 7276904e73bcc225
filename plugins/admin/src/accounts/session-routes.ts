import { type App, type HttpContext, NotFoundError, type Route } from "@plinth/core";
import { administrators, tellAdministrator } from "@plinth/plugin-api-tokens";
import { adminRoute, openRoute } from "../access/admin-route.js";
import { assertKept } from "../access/cookie.js";
import { sessionOf } from "../access/gate.js";
import { sessions } from "../access/sessions.js";
import type { AdminConfig } from "../config.js";
import { retryAfterOf } from "../second-factor/finish-sign-in.js";
import type { SessionView } from "../wire/account.js";
import type { EntranceView } from "../wire/accounts.js";
import { accountMails } from "./account-mails.js";
import { signInBody } from "./bodies.js";
import { descriptions } from "./describe-routes.js";
import { parseBody } from "./parse-body.js";
import { signInByPassword, signOut } from "./sign-in.js";

/** Signing in and out, and the sessions of who is signed in. */
export function createSessionRoutes(app: App, config: AdminConfig): readonly Route[] {
  return [...createSignInRoutes(app, config), ...createOwnSessionRoutes(app)];
}

function createSignInRoutes(app: App, { passwords }: AdminConfig): readonly Route[] {
  return [
    openRoute(app, {
      ...{ method: "GET", path: "/entrance", description: descriptions.entrance },
      handler: (): EntranceView => ({
        passwordLength: passwords.minLength,
        canReset: app.service(accountMails).canReset,
      }),
    }),
    openRoute(app, {
      ...{ method: "POST", path: "/session", description: descriptions.signIn },
      handler: async (ctx) => {
        assertKept(app, ctx);
        const { stay, ...given } = parseBody(signInBody, ctx);
        const attempt = { ...given, address: ctx.ip, retryAfter: retryAfterOf(ctx) };
        const act = { action: "auth.sign-in", email: given.email, isRefusalOnly: true };
        const user = await tellAdministrator(app, ctx, act, () => app.service(administrators).authenticate(attempt));
        return signInByPassword(app, ctx, user, stay);
      },
    }),
    openRoute(app, {
      ...{ method: "DELETE", path: "/session", description: descriptions.signOut },
      handler: async (ctx) => {
        await signOut(app, ctx);
        ctx.status = 204;
      },
    }),
  ];
}

function createOwnSessionRoutes(app: App): readonly Route[] {
  return [
    adminRoute({
      ...{ method: "GET", path: "/sessions", description: descriptions.listSessions },
      handler: async (ctx) => ({ data: await listSessions(app, ctx) }),
    }),
    adminRoute({
      ...{ method: "DELETE", path: "/sessions", description: descriptions.endOtherSessions },
      handler: async (ctx) => {
        const { account, documentId } = sessionOf(ctx);
        await tellAdministrator(app, ctx, { action: "auth.session-end", account }, () =>
          app.service(sessions).endOthers(account, documentId),
        );
        ctx.status = 204;
      },
    }),
    adminRoute({
      ...{ method: "DELETE", path: "/sessions/:id", description: descriptions.endSession },
      handler: async (ctx) => {
        const { account } = sessionOf(ctx);
        await tellAdministrator(app, ctx, { action: "auth.session-end", account }, async () => {
          if (!(await app.service(sessions).endOne(account, ctx.params["id"] ?? ""))) throw new NotFoundError({});
        });
        ctx.status = 204;
      },
    }),
  ];
}

async function listSessions(app: App, ctx: HttpContext): Promise<readonly SessionView[]> {
  const current = sessionOf(ctx);
  const all = await app.service(sessions).list(current.account);
  return all.map((session) => ({ ...session, isCurrent: session.id === current.documentId }));
}

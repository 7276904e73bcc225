import { type App, type HttpContext, NotFoundError, type Route } from "@plinth/core";
import { administrators, tellAdministrator } from "@plinth/plugin-api-tokens";
import { adminRoute, openRoute } from "../access/admin-route.js";
import { sessionOf } from "../access/gate.js";
import { createSessionCookie } from "../access/session-cookie.js";
import { sessions } from "../access/sessions.js";
import type { SessionView } from "../wire/account.js";
import { signInBody } from "./bodies.js";
import { descriptions } from "./describe-routes.js";
import { parseBody } from "./parse-body.js";
import { signIn, signOut } from "./sign-in.js";

/** Signing in and out, and the sessions of who is signed in. */
export function createSessionRoutes(app: App): readonly Route[] {
  return [
    openRoute(app, {
      ...{ method: "POST", path: "/session", description: descriptions.signIn },
      handler: async (ctx) => {
        createSessionCookie(app).assertKept(ctx);
        const { stay, ...given } = parseBody(signInBody, ctx);
        const retryAfter = (seconds: number) => ctx.set("Retry-After", String(seconds));
        const attempt = { ...given, address: ctx.ip, retryAfter };
        const user = await tellAdministrator(app, ctx, { action: "auth.sign-in", email: given.email }, () =>
          app.service(administrators).authenticate(attempt),
        );
        return signIn(app, ctx, user, stay);
      },
    }),
    openRoute(app, {
      ...{ method: "DELETE", path: "/session", description: descriptions.signOut },
      handler: async (ctx) => {
        await signOut(app, ctx);
        ctx.status = 204;
      },
    }),
    adminRoute({
      ...{ method: "GET", path: "/sessions", description: descriptions.listSessions },
      handler: async (ctx) => ({ data: await listSessions(app, ctx) }),
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

import { type App, type HttpContext, NotFoundError, type Route } from "@plinth/core";
import { type AdminRoute, adminRoute } from "../access/admin-route.js";
import { callerOf } from "../access/gate.js";
import { sessions } from "../access/sessions.js";
import type { AccountList } from "../wire/accounts.js";
import { accountMails } from "./account-mails.js";
import { accounts, type StoredAccount } from "./accounts.js";
import { accountBody } from "./bodies.js";
import { accountDescriptions } from "./describe-routes.js";
import { noteAct } from "./note-act.js";
import { parseBody } from "./parse-body.js";
import { PasswordResets, passwordResets } from "./password-resets.js";
import { sendLink } from "./send-link.js";

/** The accounts of others, for those who look after them. An API token is no person, and may do nothing here. */
export function createAccountRoutes(app: App): readonly Route[] {
  return [...createListRoutes(app), ...createRecoveryRoutes(app), ...createSessionsRoutes(app)];
}

/** Declares a route that asks for the action; the account is named by `:id`. */
const route = (declared: Omit<AdminRoute, "action">): Route =>
  adminRoute({ ...declared, action: "plugin::admin.accounts", personsOnly: true });

const idOf = (ctx: HttpContext): string => ctx.params["id"] ?? "";

function createListRoutes(app: App): readonly Route[] {
  const service = () => app.service(accounts);
  return [
    route({
      ...{ method: "GET", path: "/accounts", description: accountDescriptions.list },
      handler: async (ctx): Promise<AccountList> => {
        const caller = callerOf(ctx);
        const [data, roles] = await Promise.all([service().list(caller), service().roleChoices(caller)]);
        return { data, roles, hasMail: app.service(accountMails).way !== "none" };
      },
    }),
    route({
      ...{ method: "PUT", path: "/accounts/:id", description: accountDescriptions.change },
      handler: async (ctx) => {
        const changes = parseBody(accountBody, ctx) as Parameters<ReturnType<typeof service>["change"]>[2];
        const { role, isActive } = await service().change(callerOf(ctx), idOf(ctx), changes);
        await noteAct(app, ctx, { action: "account.change", account: idOf(ctx), details: { role, isActive } });
        ctx.status = 204;
      },
    }),
    route({
      ...{ method: "DELETE", path: "/accounts/:id", description: accountDescriptions.remove },
      handler: async (ctx) => {
        const { role } = await service().remove(callerOf(ctx), idOf(ctx));
        await noteAct(app, ctx, { action: "account.remove", account: idOf(ctx), details: { role } });
        ctx.status = 204;
      },
    }),
  ];
}

/** What helps somebody who cannot sign in. */
function createRecoveryRoutes(app: App): readonly Route[] {
  return [
    route({
      ...{ method: "POST", path: "/accounts/:id/reset-link", description: accountDescriptions.resetLink },
      handler: async (ctx) => {
        const account = await app.service(accounts).assertMayChange(callerOf(ctx), idOf(ctx));
        const code = app.service(passwordResets).codeFor(account);
        await noteAct(app, ctx, { action: "account.reset-link", account: account.documentId });
        const link = { kind: "reset", path: `/admin/reset#${code}`, hours: PasswordResets.hours } as const;
        return await sendLink(app, ctx, account, link);
      },
    }),
    route({
      ...{ method: "DELETE", path: "/accounts/:id/second-factor", description: accountDescriptions.resetSecondFactor },
      handler: async (ctx) => {
        const account = await app.service(accounts).resetSecondFactor(callerOf(ctx), idOf(ctx));
        if (!account) throw new NotFoundError({});
        app.log.warn({ account: account.documentId, by: callerOf(ctx).documentId }, "A second factor was reset");
        await noteAct(app, ctx, { action: "auth.second-factor-reset", account: account.documentId });
        await app.service(accountMails).tell("factorReset", account);
        ctx.status = 204;
      },
    }),
  ];
}

function createSessionsRoutes(app: App): readonly Route[] {
  const changing = (ctx: HttpContext): Promise<StoredAccount> =>
    app.service(accounts).assertMayChange(callerOf(ctx), idOf(ctx));
  const note = (ctx: HttpContext) => noteAct(app, ctx, { action: "auth.session-end", account: idOf(ctx) });
  return [
    route({
      ...{ method: "GET", path: "/accounts/:id/sessions", description: accountDescriptions.sessions },
      handler: async (ctx) => {
        const all = await app.service(sessions).list(await changing(ctx));
        return { data: all.map((session) => ({ ...session, isCurrent: false })) };
      },
    }),
    route({
      ...{ method: "DELETE", path: "/accounts/:id/sessions/:session", description: accountDescriptions.endSession },
      handler: async (ctx) => {
        const account = await changing(ctx);
        if (!(await app.service(sessions).endOne(account, ctx.params["session"] ?? ""))) throw new NotFoundError({});
        await note(ctx);
        ctx.status = 204;
      },
    }),
    route({
      ...{ method: "DELETE", path: "/accounts/:id/sessions", description: accountDescriptions.endSessions },
      handler: async (ctx) => {
        await app.service(sessions).endOthers(await changing(ctx), undefined);
        await note(ctx);
        ctx.status = 204;
      },
    }),
  ];
}

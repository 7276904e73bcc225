import type { App, HttpContext, Route } from "@plinth/core";
import { tellAdministrator } from "@plinth/plugin-api-tokens";
import { adminRoute, openRoute } from "../access/admin-route.js";
import { assertKept } from "../access/cookie.js";
import { callerOf } from "../access/gate.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { retryAfterOf } from "../second-factor/finish-sign-in.js";
import type { AdminConfig } from "../config.js";
import type { Invited, NewInvitation } from "../wire/accounts.js";
import { accountMails } from "./account-mails.js";
import { accounts } from "./accounts.js";
import { acceptanceBody, codeBody, forgottenBody, invitationBody, resetBody } from "./bodies.js";
import { linkDescriptions } from "./describe-routes.js";
import { invitations } from "./invitations.js";
import { noteAct } from "./note-act.js";
import { parseBody } from "./parse-body.js";
import { passwordResets } from "./password-resets.js";
import { sendLink } from "./send-link.js";
import { signIn } from "./sign-in.js";

/** Who invites is a person: an API token is none. */
const FOR_PERSONS = { action: "plugin::admin.accounts", personsOnly: true } as const;
const HOUR = 3600;

/** Invitations, and links for forgotten passwords. */
export function createLinkRoutes(app: App, config: AdminConfig): readonly Route[] {
  return [...createInvitationRoutes(app, config), ...createAcceptanceRoutes(app), ...createPasswordRoutes(app)];
}

function createInvitationRoutes(app: App, config: AdminConfig): readonly Route[] {
  const service = () => app.service(invitations);
  const inviting = { app, config };
  return [
    adminRoute({
      ...{ method: "GET", path: "/invitations", ...FOR_PERSONS, description: linkDescriptions.invitations },
      handler: async () => ({ data: await service().list() }),
    }),
    adminRoute({
      ...{ method: "POST", path: "/invitations", ...FOR_PERSONS, description: linkDescriptions.invite },
      handler: async (ctx) => {
        const invited = await invite(inviting, ctx, parseBody(invitationBody, ctx));
        ctx.status = 201;
        return invited;
      },
    }),
    adminRoute({
      ...{ method: "POST", path: "/invitations/:id/resend", ...FOR_PERSONS, description: linkDescriptions.resend },
      handler: async (ctx) => {
        const { email, role } = await service().find(ctx.params["id"] ?? "");
        return await invite(inviting, ctx, { email, role }, ctx.params["id"]);
      },
    }),
    adminRoute({
      ...{ method: "DELETE", path: "/invitations/:id", ...FOR_PERSONS, description: linkDescriptions.revoke },
      handler: async (ctx) => {
        const { id, role } = await service().find(ctx.params["id"] ?? "");
        await app.service(accounts).assertMayGive(callerOf(ctx), role, false);
        await service().revoke(id);
        await noteAct(app, ctx, { action: "account.invite-revoke", details: { role, invitation: id } });
        ctx.status = 204;
      },
    }),
  ];
}

interface Inviting {
  readonly app: App;
  readonly config: AdminConfig;
}

/** Invites somebody, or again: the link before is not valid any more. @param replaces - id of the invitation before */
async function invite(
  { app, config }: Inviting,
  ctx: HttpContext,
  given: NewInvitation,
  replaces?: string,
): Promise<Invited> {
  const caller = callerOf(ctx);
  const assertMayGive = (role: string) => app.service(accounts).assertMayGive(caller, role, false);
  const inviting = {
    ...{ ...given, invitedBy: caller.documentId, assertMayGive },
    ...(replaces === undefined ? {} : { replaces }),
  };
  const { invitation, code } = await app.service(invitations).invite(inviting);
  await noteAct(app, ctx, { action: "account.invite", details: { role: given.role, invitation: invitation.id } });
  const to = { email: invitation.email, language: await languageOf(app, ctx) };
  const path = `/admin/invited#${code}`;
  const sent = await sendLink(app, ctx, to, {
    kind: "invitation",
    path,
    hours: Math.ceil(config.invitationLife / HOUR),
  });
  return { invitation, ...sent };
}

/** Invitations are written in the language of who invites: that of who is invited is not known. */
async function languageOf(app: App, ctx: HttpContext): Promise<string | null> {
  return (await app.service(accounts).find(callerOf(ctx).documentId)).language;
}

function createAcceptanceRoutes(app: App): readonly Route[] {
  return [
    openRoute(app, {
      ...{ method: "POST", path: "/invitations/look", description: linkDescriptions.look },
      handler: (ctx) => app.service(invitations).look(parseBody(codeBody, ctx).code),
    }),
    openRoute(app, {
      ...{ method: "POST", path: "/invitations/accept", description: linkDescriptions.accept },
      handler: async (ctx) => {
        assertKept(app, ctx);
        const acceptance = parseBody(acceptanceBody, ctx);
        const user = await tellAdministrator(app, ctx, { action: "auth.register" }, () =>
          app.service(invitations).accept(acceptance),
        );
        return signIn(app, ctx, user, false);
      },
    }),
  ];
}

function createPasswordRoutes(app: App): readonly Route[] {
  return [
    openRoute(app, {
      ...{ method: "POST", path: "/password/forgot", description: linkDescriptions.forgot },
      handler: async (ctx) => {
        const { email } = parseBody(forgottenBody, ctx);
        const forgotten = { email, address: ctx.ip, retryAfter: retryAfterOf(ctx) };
        await app.service(passwordResets).forgot(forgotten);
        // Whose it is is looked up after the answer, as the account is.
        app.service(accountMails).afterwards("noting a forgotten password", async () => {
          const found = await app.documents(ADMINISTRATOR_TYPE).findFirst({ filters: { email: email.toLowerCase() } });
          await noteAct(app, ctx, { action: "auth.password-forgot", account: found?.documentId });
        });
        ctx.status = 204;
      },
    }),
    openRoute(app, {
      ...{ method: "POST", path: "/password/reset", description: linkDescriptions.reset },
      handler: async (ctx) => {
        const { code, password } = parseBody(resetBody, ctx);
        const account = await tellAdministrator(app, ctx, { action: "auth.password-reset" }, () =>
          app.service(passwordResets).reset(code, password),
        );
        await app.service(accountMails).tell("passwordChanged", account);
        ctx.status = 204;
      },
    }),
  ];
}

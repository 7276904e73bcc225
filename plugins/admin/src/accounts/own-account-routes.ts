import type { App, HttpContext, Route } from "@plinth/core";
import { administrators, LoginRefusedError, tellAdministrator } from "@plinth/plugin-api-tokens";
import { adminRoute } from "../access/admin-route.js";
import { sessionOf } from "../access/gate.js";
import type { KnownSession } from "../access/known-sessions.js";
import { sessions } from "../access/sessions.js";
import type { AdminConfig } from "../config.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { InvalidRequestError } from "../errors.js";
import { retryAfterOf } from "../second-factor/finish-sign-in.js";
import { secondFactors } from "../second-factor/second-factors.js";
import type { OwnAccount } from "../wire/accounts.js";
import { accountMails } from "./account-mails.js";
import { accounts } from "./accounts.js";
import { emailBody, ownAccountBody, passwordBody } from "./bodies.js";
import { ownDescriptions } from "./describe-routes.js";
import { noteAct } from "./note-act.js";
import { parseBody } from "./parse-body.js";
import { assertPassword } from "./password-rules.js";

/** What administrators see and change of their own account. */
export function createOwnAccountRoutes(app: App, config: AdminConfig): readonly Route[] {
  const view = (ctx: HttpContext) => viewOf(app, config, sessionOf(ctx));
  return [
    adminRoute({
      ...{ method: "GET", path: "/account", duringSetUp: true, description: ownDescriptions.get },
      handler: async (ctx) => ({ data: await view(ctx) }),
    }),
    adminRoute({
      ...{ method: "PUT", path: "/account", description: ownDescriptions.change },
      handler: async (ctx) => {
        const { documentId } = sessionOf(ctx).account;
        const data = parseBody(ownAccountBody, ctx);
        await app.documents(ADMINISTRATOR_TYPE).update({ documentId, data });
        return { data: await view(ctx) };
      },
    }),
    adminRoute({
      ...{ method: "PUT", path: "/account/email", description: ownDescriptions.email },
      handler: async (ctx) => {
        await changeEmail(app, ctx);
        return { data: await view(ctx) };
      },
    }),
    adminRoute({
      ...{ method: "PUT", path: "/account/password", description: ownDescriptions.password },
      handler: async (ctx) => {
        const { account } = sessionOf(ctx);
        await tellAdministrator(app, ctx, { action: "auth.password-change", account }, () =>
          changePassword(app, ctx, config),
        );
        ctx.status = 204;
      },
    }),
  ];
}

async function viewOf(app: App, { passwords }: AdminConfig, { account }: KnownSession): Promise<OwnAccount> {
  const { name, email, role, language } = await app.service(accounts).find(account.documentId);
  const secondFactor = await app.service(secondFactors).overview(account);
  return { name: name ?? email, email, role, language, passwordLength: passwords.minLength, secondFactor };
}

/** Both addresses get a mail: the old one may be the one that its owner reads. */
async function changeEmail(app: App, ctx: HttpContext): Promise<void> {
  const { account, documentId: session } = sessionOf(ctx);
  const { email: given, password } = parseBody(emailBody, ctx);
  await assertOwnPassword(app, ctx, { password, path: "password" });
  const email = given.toLowerCase();
  await app.db.transaction(async () => {
    await app.documents(ADMINISTRATOR_TYPE).update({ documentId: account.documentId, data: { email } });
    // Links that went to the old address are not valid any more.
    await app.service(sessions).endOthers(account, session);
    for (const to of [account.email, email])
      await app.service(accountMails).tell("emailChanged", { ...account, email: to });
  });
  await noteAct(app, ctx, { action: "auth.email-change", account: account.documentId });
}

async function changePassword(app: App, ctx: HttpContext, config: AdminConfig): Promise<void> {
  const { account, documentId: session } = sessionOf(ctx);
  const { old, password } = parseBody(passwordBody, ctx);
  await assertOwnPassword(app, ctx, { password: old, path: "old" });
  assertPassword(config, password, account);
  await app.db.transaction(async () => {
    await app.documents(ADMINISTRATOR_TYPE).update({ documentId: account.documentId, data: { password } });
    await app.service(sessions).endOthers(account, session);
    await app.service(accountMails).tell("passwordChanged", account);
  });
}

/** A password that is given again, and where in the body it is. */
interface GivenPassword {
  readonly password: string;
  readonly path: string;
}

/**
 * Asks for one's own password again. It counts as an attempt to sign in, so that a stolen session finds none out.
 *
 * @throws PLINTH_ADMIN_INVALID (400) for a wrong one, PLINTH_TOKENS_TOO_MANY_LOGINS (429)
 */
export async function assertOwnPassword(app: App, ctx: HttpContext, { password, path }: GivenPassword): Promise<void> {
  const { email, documentId } = sessionOf(ctx).account;
  const attempt = { email, password, address: ctx.ip, retryAfter: retryAfterOf(ctx) };
  const wrong = () => new InvalidRequestError({ errors: [{ path, message: "is not your password" }] });
  const user = await app
    .service(administrators)
    .authenticate(attempt)
    .catch((error: unknown) => {
      // A 401 would say that the session has ended.
      throw LoginRefusedError.is(error) ? wrong() : error;
    });
  if (user.documentId !== documentId) throw wrong();
}

import { type App, type HttpContext, NotFoundError, type Route } from "@plinth/core";
import { type AdminRoute, adminRoute } from "../access/admin-route.js";
import { sessionOf } from "../access/gate.js";
import type { KnownSession } from "../access/known-sessions.js";
import { Tickets } from "../access/tickets.js";
import { accountMails } from "../accounts/account-mails.js";
import { noteAct } from "../accounts/note-act.js";
import { assertOwnPassword } from "../accounts/own-account-routes.js";
import { parseBody } from "../accounts/parse-body.js";
import type { AdminConfig } from "../config.js";
import { PASSKEY_TYPE } from "../content-types/second-factor.js";
import { InvalidRequestError } from "../errors.js";
import type { FactorAdded, NewTotp } from "../wire/second-factor.js";
import { confirmBody, passkeyBody, passkeyNameBody, totpBody } from "./bodies.js";
import { assertConfirmed, confirmationOf } from "./confirmation.js";
import { descriptions } from "./describe-routes.js";
import { TicketInvalidError } from "./errors.js";
import { retryAfterOf } from "./finish-sign-in.js";
import { limitCodes } from "./limit-codes.js";
import { addPasskey, registrationOptions } from "./passkeys.js";
import { secondFactors } from "./second-factors.js";
import { siteOf } from "./site.js";
import { dropTotp, keepTotp, newTotpSecret, stepOfCode, totpUri } from "./totp.js";

/** Seconds in which something new has to prove itself. */
const LIFE = 600;

/** Declares a route that is open while a second factor is being set up. */
const route = (declared: Omit<AdminRoute, "duringSetUp">): Route => adminRoute({ ...declared, duringSetUp: true });

/** What administrators do with their own second factor. All of it but names needs the password again. */
export function createOwnFactorRoutes(app: App, config: AdminConfig): readonly Route[] {
  return [
    route({
      ...{ method: "POST", path: "/account/confirm", description: descriptions.confirm },
      handler: async (ctx) => {
        const { documentId } = sessionOf(ctx);
        await assertOwnPassword(app, ctx, { password: parseBody(confirmBody, ctx).password, path: "password" });
        return { confirmation: confirmationOf(app, documentId) };
      },
    }),
    ...createTotpRoutes(app, config),
    ...createPasskeyRoutes(app, config),
    route({
      ...{ method: "POST", path: "/account/recovery-codes", description: descriptions.recoveryCodes },
      handler: async (ctx): Promise<FactorAdded> => {
        const { account, documentId: session } = assertConfirmed(app, ctx);
        const recoveryCodes = await app.service(secondFactors).renewRecoveryCodes(account, session);
        if (!recoveryCodes) throw new NotFoundError({});
        await noteAct(app, ctx, { action: "auth.recovery-codes", account: account.documentId });
        await app.service(accountMails).tell("recoveryReplaced", account);
        return { secondFactor: await app.service(secondFactors).overview(account), recoveryCodes };
      },
    }),
  ];
}

/** An authenticator app that is being added, in the session of its owner. */
interface PendingTotp {
  readonly session: string;
  readonly secret: string;
}

function createTotpRoutes(app: App, { brand }: AdminConfig): readonly Route[] {
  const tickets = new Tickets<PendingTotp>(app, "new authenticator app", LIFE);
  return [
    route({
      ...{ method: "POST", path: "/account/totp", description: descriptions.newTotp },
      handler: async (ctx): Promise<NewTotp> => {
        const { account, documentId: session } = assertConfirmed(app, ctx);
        const secret = await newTotpSecret();
        const uri = await totpUri(secret, { issuer: brand.name, label: account.email });
        return { secret, uri, ticket: tickets.issue({ session, secret }) };
      },
    }),
    route({
      ...{ method: "PUT", path: "/account/totp", description: descriptions.keepTotp },
      handler: async (ctx) => {
        const { account, documentId: session } = assertConfirmed(app, ctx);
        const { ticket, code } = parseBody(totpBody, ctx);
        const pending = tickets.read(ticket);
        if (pending?.session !== session) throw new TicketInvalidError({});
        const attempt = { ip: ctx.ip, account, retryAfter: retryAfterOf(ctx) };
        const step = await limitCodes(app, attempt, () => stepOfCode(app, pending.secret, code));
        if (step === undefined)
          throw new InvalidRequestError({
            errors: [{ path: "code", message: "is not the code that the app shows now" }],
          });
        if (!(await tickets.spend(ticket))) throw new TicketInvalidError({});
        return await added(app, ctx, "totp", () => keepTotp(app, account, pending.secret, step));
      },
    }),
    route({
      ...{ method: "DELETE", path: "/account/totp", description: descriptions.dropTotp },
      handler: (ctx) => removed(app, ctx, "totp", ({ account }) => dropTotp(app, account)),
    }),
  ];
}

/** A passkey that is being added, in the session of its owner. */
interface PendingPasskey {
  readonly session: string;
  readonly challenge: string;
}

function createPasskeyRoutes(app: App, { brand }: AdminConfig): readonly Route[] {
  const tickets = new Tickets<PendingPasskey>(app, "new passkey", LIFE);
  return [
    route({
      ...{ method: "POST", path: "/account/passkeys/options", description: descriptions.passkeyOptions },
      handler: async (ctx) => {
        const { account, documentId: session } = assertConfirmed(app, ctx);
        const page = { site: siteOf(app, ctx), brand: brand.name, name: account.name, email: account.email };
        const options = await registrationOptions(app, account, page);
        return { options, ticket: tickets.issue({ session, challenge: options.challenge }) };
      },
    }),
    route({
      ...{ method: "POST", path: "/account/passkeys", description: descriptions.addPasskey },
      handler: async (ctx) => {
        const { account, documentId: session } = assertConfirmed(app, ctx);
        const { ticket, name, response } = parseBody(passkeyBody, ctx);
        const { challenge } = tickets.read(ticket)?.session === session ? ((await tickets.spend(ticket)) ?? {}) : {};
        if (challenge === undefined) throw new TicketInvalidError({});
        return await added(app, ctx, "passkey", () =>
          addPasskey(app, account, { name, response, challenge, site: siteOf(app, ctx) }),
        );
      },
    }),
    route({
      ...{ method: "PUT", path: "/account/passkeys/:id", description: descriptions.renamePasskey },
      handler: async (ctx) => {
        const { account } = sessionOf(ctx);
        const { name } = parseBody(passkeyNameBody, ctx);
        const documentId = await ownPasskey(app, ctx);
        await app.documents(PASSKEY_TYPE).update({ documentId, data: { name } });
        return { secondFactor: await app.service(secondFactors).overview(account) };
      },
    }),
    route({
      ...{ method: "DELETE", path: "/account/passkeys/:id", description: descriptions.dropPasskey },
      handler: (ctx) =>
        removed(app, ctx, "passkey", async () => {
          const { entries } = await app.documents(PASSKEY_TYPE).delete({ documentId: await ownPasskey(app, ctx) });
          return entries.length > 0;
        }),
    }),
  ];
}

/** @throws PLINTH_HTTP_NOT_FOUND (404) for a passkey that does not exist, or of another account */
async function ownPasskey(app: App, ctx: HttpContext): Promise<string> {
  const filters = { documentId: ctx.params["id"] ?? "", account: sessionOf(ctx).account.documentId };
  const found = await app.documents(PASSKEY_TYPE).findFirst({ filters });
  if (!found) throw new NotFoundError({});
  return found.documentId;
}

async function added(app: App, ctx: HttpContext, kind: string, keep: () => Promise<void>): Promise<FactorAdded> {
  const { account, documentId: session } = sessionOf(ctx);
  const answer = await app.service(secondFactors).add(account, session, keep);
  await noteAct(app, ctx, { action: "auth.second-factor-on", account: account.documentId, details: { kind } });
  await app.service(accountMails).tell("factorAdded", account);
  return answer;
}

async function removed(
  app: App,
  ctx: HttpContext,
  kind: string,
  drop: (session: KnownSession) => Promise<boolean>,
): Promise<FactorAdded> {
  const session = assertConfirmed(app, ctx);
  const { account, documentId } = session;
  if (!(await app.service(secondFactors).remove(account, documentId, () => drop(session)))) throw new NotFoundError({});
  await noteAct(app, ctx, { action: "auth.second-factor-off", account: account.documentId, details: { kind } });
  await app.service(accountMails).tell("factorRemoved", account);
  return { secondFactor: await app.service(secondFactors).overview(account) };
}

import { type App, type ActorUser, type HttpContext, UnauthenticatedError } from "@plinth/core";
import { type AuthenticatedAdministrator, tellAdministrator } from "@plinth/plugin-api-tokens";
import { createSessionCookie } from "../access/session-cookie.js";
import { sessions } from "../access/sessions.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { confirmationOf } from "../second-factor/confirmation.js";
import { clearHalf, halfOf, sendHalf } from "../second-factor/half-session.js";
import { secondFactors } from "../second-factor/second-factors.js";
import type { Account, SignedIn } from "../wire/account.js";
import type { SignInAnswer } from "../wire/second-factor.js";

/** Signs in who gave the right password: as a whole, or, where there is a second factor, half. */
export async function signInByPassword(
  app: App,
  ctx: HttpContext,
  user: AuthenticatedAdministrator,
  stay: boolean,
): Promise<SignInAnswer> {
  const kinds = await app.service(secondFactors).kindsOf(user);
  if (kinds.length === 0)
    return tellAdministrator(app, ctx, { action: "auth.sign-in", account: user }, () => signIn(app, ctx, user, stay));
  sendHalf(app, ctx, await halfOf(app, user, stay));
  return { secondFactor: kinds };
}

/**
 * Opens a session for an administrator who has proved who they are, and puts it into the cookie.
 *
 * @throws PLINTH_ACCESS_UNAUTHENTICATED (401) where all their sessions were ended meanwhile
 */
export async function signIn(
  app: App,
  ctx: HttpContext,
  user: AuthenticatedAdministrator,
  stay: boolean,
): Promise<SignedIn> {
  const cookie = createSessionCookie(app);
  const before = cookie.read(ctx);
  const opened = await app.service(sessions).open({ user, stay, agent: ctx.get("User-Agent"), address: ctx.ip });
  if (before) await app.service(sessions).endByKey(before);
  cookie.send(ctx, opened.key, opened.expires);
  clearHalf(app, ctx);
  const mustSetUp = await app.service(secondFactors).mustSetUp(user);
  return {
    user: await accountOf(app, user),
    ...(mustSetUp ? { mustSetUp, confirmation: confirmationOf(app, opened.id) } : {}),
  };
}

/** Ends the session of a request, if it has one. */
export async function signOut(app: App, ctx: HttpContext): Promise<void> {
  const cookie = createSessionCookie(app);
  const key = cookie.read(ctx);
  const account = key && (await app.service(sessions).endByKey(key));
  if (account) await tellAdministrator(app, ctx, { action: "auth.sign-out", account }, async () => undefined);
  cookie.clear(ctx);
}

/** @throws PLINTH_ACCESS_UNAUTHENTICATED (401) for an administrator who was removed meanwhile */
async function accountOf(app: App, { documentId }: ActorUser): Promise<Account> {
  const found = await app.documents(ADMINISTRATOR_TYPE).findOne({ documentId });
  if (!found) throw new UnauthenticatedError({});
  const { id, email, name, role, language } = found as unknown as Account & { readonly name: string | null };
  return { id, documentId, email, name: name ?? email, role, language };
}

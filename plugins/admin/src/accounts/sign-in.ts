import { type App, type ActorUser, type HttpContext, UnauthenticatedError } from "@plinth/core";
import { tellAdministrator } from "@plinth/plugin-api-tokens";
import { createSessionCookie } from "../access/session-cookie.js";
import { sessions } from "../access/sessions.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import type { Account, SignedIn } from "../wire/account.js";

/** Opens a session for an administrator who has proved who they are, and puts it into the cookie. */
export async function signIn(app: App, ctx: HttpContext, user: ActorUser, stay: boolean): Promise<SignedIn> {
  const cookie = createSessionCookie(app);
  const before = cookie.read(ctx);
  if (before) await app.service(sessions).endByKey(before);
  const { key, expires } = await app.service(sessions).open({ user, stay, agent: ctx.get("User-Agent") });
  cookie.send(ctx, key, expires);
  return { user: await accountOf(app, user) };
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

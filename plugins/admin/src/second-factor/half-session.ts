import type { App, HttpContext } from "@plinth/core";
import type { AuthenticatedAdministrator } from "@plinth/plugin-api-tokens";
import { createCookie } from "../access/cookie.js";
import { Tickets } from "../access/tickets.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";

/** What is known of somebody who has not signed in as a whole. */
export interface HalfSession {
  /** Whose password was right, the version that it was of, and until when; undefined: a passkey will say who it is. */
  readonly account?: { readonly documentId: string; readonly version: number; readonly until: number };
  readonly stay: boolean;
  /** What a passkey was asked for. */
  readonly challenge?: string;
}

/** Seconds between two steps. */
const LIFE = 300;

const ticketsOf = (app: App) => new Tickets<HalfSession>(app, "half session", LIFE);
const cookieOf = (app: App) => createCookie(app, "plinth-admin-half");

/** Puts half a session into a cookie, in place of one before. */
export function sendHalf(app: App, ctx: HttpContext, half: HalfSession): void {
  const expires = new Date(app.clock.now() + LIFE * 1000);
  cookieOf(app).send(ctx, ticketsOf(app).issue(half), expires);
}

/** Half a session of a request; undefined where there is none, or it has ended. */
export const readHalf = (app: App, ctx: HttpContext): HalfSession | undefined =>
  ticketsOf(app).read(cookieOf(app).read(ctx));

/** Uses half a session up. Undefined where there is none, it has ended, or it was used. */
export const spendHalf = (app: App, ctx: HttpContext): Promise<HalfSession | undefined> =>
  ticketsOf(app).spend(cookieOf(app).read(ctx));

/** Takes it out of the browser. */
export function clearHalf(app: App, ctx: HttpContext): void {
  cookieOf(app).clear(ctx);
}

/** The half that a right password is. */
export async function halfOf(app: App, user: AuthenticatedAdministrator, stay: boolean): Promise<HalfSession> {
  const { documentId, sessionVersion } = user;
  const version =
    sessionVersion ??
    (await app.documents(ADMINISTRATOR_TYPE).findOne({ documentId, withPrivate: true }))?.["sessionVersion"];
  const until = app.clock.now() + LIFE * 1000;
  return { account: { documentId, version: Number(version), until }, stay };
}

/** The account of half a session; undefined where it may not sign in any more, or got another password meanwhile. */
export async function accountOfHalf(
  app: App,
  { account }: HalfSession,
): Promise<AuthenticatedAdministrator | undefined> {
  // A half that is issued again for another challenge lasts no longer.
  if (!account || app.clock.now() >= account.until) return undefined;
  const found = await app.documents(ADMINISTRATOR_TYPE).findOne({ documentId: account.documentId, withPrivate: true });
  const isSame = found?.["isActive"] === true && Number(found["sessionVersion"]) === account.version;
  return isSame ? { id: found.id, documentId: found.documentId, sessionVersion: account.version } : undefined;
}

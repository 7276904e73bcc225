/** Ends a session by a token that has expired. */
import type { App } from "@plinth/core";
import { type Account, jwt, sessions, users } from "../contract.js";

/**
 * Ends the session that an expired access token belongs to, or else that of a refresh token.
 *
 * @param bearer - any text; of a token that this app has not made nothing is read.
 * @param refreshToken - what the client sent.
 * @returns whose session it was; undefined where there was none to end
 */
export async function endOldSession(app: App, bearer: string, refreshToken: unknown): Promise<Account | undefined> {
  const claims = app.service(jwt).verify(bearer, { mayBeExpired: true });
  const account = claims && (await app.service(users).findById(claims.id));
  const isCurrent = account?.sessionVersion === claims?.v;
  if (account && isCurrent && claims?.sid !== undefined && (await app.service(sessions).end(account, claims.sid)))
    return account;
  return typeof refreshToken === "string" ? await app.service(sessions).endByToken(refreshToken) : undefined;
}

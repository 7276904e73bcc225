import type { App } from "@plinth/core";
import type { LinkConfig, UsersPermissionsConfig } from "../config.js";
import type { Account, Device, Jwt, Sessions, SignedIn, Users } from "../contract.js";
import type { AccountMails } from "./account-mails.js";

/** The dependencies of authentication. */
export interface AuthTools {
  readonly app: App;
  readonly config: UsersPermissionsConfig;
  readonly users: Users;
  readonly jwt: Jwt;
  readonly sessions: Sessions;
  readonly mails: AccountMails;
}

/** The provider of accounts that have a password here. Others sign in through another provider. */
export const LOCAL = "local";

/** Signs in a user whose identity was verified. */
export async function signIn(tools: AuthTools, account: Account, device: Device): Promise<SignedIn> {
  const { users, jwt, sessions, config } = tools;
  const user = await users.describe(account.id);
  if (!sessions.isEnabled) return { jwt: jwt.issue(account), user };
  const session = await sessions.start(account, device);
  const { accessLifespan: expiresIn } = config.sessions;
  return { jwt: jwt.issue(account, { sid: session.sid, expiresIn }), user, session };
}

/** Where a link in a mail leads: to an address that the configuration names, never one that a request names. */
export function buildLink(
  app: App,
  { url }: LinkConfig,
  path: string,
  query: Readonly<Record<string, string>>,
): string {
  const port = app.config.get("server.port", 1337);
  const base = app.config.get("server.url", `http://localhost:${port}`);
  const link = new URL(url ?? `${base.replace(/\/+$/, "")}${path}`);
  for (const [name, value] of Object.entries(query)) link.searchParams.set(name, value);
  return link.href;
}

import type { ActorUser, App, HttpContext } from "@plinth/core";
import { tellAct } from "@plinth/core/http";
import { hasNul } from "@plinth/core/schema";
import { ADMINISTRATOR_TYPE } from "../content-types.js";

/** What an administrator does to prove who they are, or to end that. */
export interface AdministratorAct {
  readonly action: string;
  /** Whose it is, where that is known beforehand. */
  readonly account?: Pick<ActorUser, "documentId"> | undefined;
  /** Of the account that was tried; looked up, and not told. */
  readonly email?: string;
  /** True: it is only a step where it succeeds, such as a password before a second factor. Default: false. */
  readonly isRefusalOnly?: boolean;
}

/** Does it, and notes by the hook `access:onAct` how it ended, and whose account it is about. @throws what it throws */
export function tellAdministrator<T>(
  app: App,
  ctx: HttpContext,
  { action, account, email, isRefusalOnly = false }: AdministratorAct,
  work: () => Promise<T>,
): Promise<T> {
  const find = async (done: T | undefined) => {
    const { documentId = account?.documentId ?? (await idOf(app, email)) } = Object(done) as Partial<ActorUser>;
    return documentId === undefined ? undefined : { kind: "admin", uid: ADMINISTRATOR_TYPE, documentId };
  };
  return tellAct(app, ctx, { action, account: find, isRefusalOnly }, work);
}

async function idOf(app: App, email: string | undefined): Promise<string | undefined> {
  if (email === undefined || hasNul(email)) return undefined;
  const filters = { email: email.toLowerCase() };
  return (await app.documents(ADMINISTRATOR_TYPE).findFirst({ filters, fields: ["documentId"] }))?.documentId;
}

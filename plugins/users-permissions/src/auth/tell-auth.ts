import type { App, HttpContext } from "@plinth/core";
import { tellAct } from "@plinth/core/http";
import { USER } from "../content-types.js";
import { type Account, type SignedIn, users } from "../contract.js";

/** What a user does to prove who they are. */
export interface AuthAct {
  readonly action: string;
  /** Whose it is, where that is known beforehand. */
  readonly account?: Pick<Account, "documentId"> | undefined;
  /** What the client calls the account; looked up, and not kept: it may be a password that was typed there. */
  readonly name?: unknown;
  /** Whether a refusal alone is of interest. */
  readonly isRefusalOnly?: boolean;
}

/** Does it, and notes by the hook `access:onAct` how it ended, and whose account it is about. @throws what it throws */
export function tellAuth<T>(
  app: App,
  ctx: HttpContext,
  { action, account, name, isRefusalOnly = false }: AuthAct,
  work: () => Promise<T>,
): Promise<T> {
  const find = async (done: T | undefined) => {
    const found = account ?? ownerOf(done) ?? (await byName(app, name));
    return found && { kind: "user", uid: USER, documentId: found.documentId };
  };
  return tellAct(app, ctx, { action, account: find, isRefusalOnly }, work);
}

/** Whom it is about: what came of it is an account, has a user, or is nothing. */
function ownerOf(done: unknown): Pick<Account, "documentId"> | undefined {
  const { documentId, user } = Object(done) as Partial<Account & SignedIn>;
  return documentId === undefined ? user : { documentId };
}

async function byName(app: App, name: unknown): Promise<Account | undefined> {
  return typeof name === "string" && name !== "" ? await app.service(users).findByIdentifier(name) : undefined;
}

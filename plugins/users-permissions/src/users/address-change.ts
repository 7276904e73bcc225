import { type App, type RegisterContext, type WriteEvent, writeHooks } from "@plinth/core";
import { USER } from "../content-types/user.js";
import { auth } from "../contract.js";

/** What is stored of a user before the address changes. */
interface StoredUser {
  readonly id: number;
  readonly email: string;
  readonly confirmed: boolean | null;
}

/**
 * Enforces the rules of a new e-mail address, for every way of writing it: codes that were sent to the old address end,
 * and where addresses have to be confirmed, this one has to, unless the writer says `confirmed: true` along with it.
 * After the commit the old address gets a mail, and the new one is sent a confirmation token.
 */
export function keepAddressRules({ app, on }: Pick<RegisterContext<object>, "app" | "on">): void {
  on(writeHooks.update.before, (event) => startAddressChange(app, event), { about: [USER] });
}

/** The row is locked by the write, so no code is sent to the old address in between. */
async function startAddressChange(app: App, { documentId, data = {} }: WriteEvent): Promise<void> {
  const { email, confirmed } = data;
  if (typeof email !== "string") return;
  const table = `"${app.model.contentTypes.get(USER)?.table}"`;
  const text = `select id, email, confirmed from ${table} where document_id = $1`;
  const [user] = await app.db.query<StoredUser>({ text, values: [documentId], isPlan: true });
  if (!user || user.email === email) return;
  const isTrusted = confirmed === true || !app.plugin("users-permissions").config.emailConfirmation.enabled;
  const end = `update ${table} set reset_password_token = null, confirmation_token = null${isTrusted ? "" : ", confirmed = false"} where id = $1`;
  await app.db.query({ text: end, values: [user.id], isPlan: true });
  const change = { userId: Number(user.id), oldAddress: user.confirmed ? user.email : undefined };
  app.db.afterCommit(() => app.service(auth).addressChanged(change));
}

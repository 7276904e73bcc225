import { type App, type RegisterContext, transformInput, type WriteEvent, writeHooks } from "@plinth/core";
import { newSessionVersion } from "@plinth/core/access";
import { USER } from "../content-types.js";
import { accountMails } from "../auth/account-mails.js";
import { keepNameRules } from "./name-rules.js";
import { keepPasswordRules } from "./password-rules.js";

type Data = Readonly<Record<string, unknown>>;

/**
 * Enforces the rules of users for every way of writing them: an address is in lower case, and a new password or being
 * blocked ends all sessions. A new user's version is never that of a deleted one.
 */
export function keepUserRules(context: Pick<RegisterContext<object>, "app" | "on">): void {
  const { app, on } = context;
  const about = [USER];
  on(transformInput, lowerEmail, { about });
  on(writeHooks.create.after, (event) => drawVersion(app, event), { about });
  on(writeHooks.update.after, (event) => (endsSessions(event) ? drawVersion(app, event) : undefined), { about });
  keepNameRules(context);
  keepPasswordRules(context);
  keepAddressRules(context);
}

function lowerEmail(data: Data): Data {
  const { email } = data;
  return typeof email === "string" ? { ...data, email: email.toLowerCase() } : data;
}

function endsSessions({ data = {} }: WriteEvent): boolean {
  const { password, blocked } = data;
  return (password !== undefined && password !== null) || blocked === true;
}

/** Written past the document, because a rule on fields says what the writer may change, and not what follows from it. */
async function drawVersion({ db }: App, { documentId }: WriteEvent): Promise<void> {
  await db.model(USER).query().where({ document_id: documentId }).patch({ session_version: newSessionVersion() });
}

/** What is stored of a user before the address changes. */
interface StoredUser {
  readonly id: number;
  readonly email: string;
  readonly confirmed: boolean | null;
}

/**
 * Enforces the rules of a new e-mail address, for every way of writing it: codes that were sent to the old address end,
 * and where addresses have to be confirmed, this one has to, unless the writer says `confirmed: true` along with it.
 * The old address gets a mail, and the new one is sent a confirmation token.
 */
function keepAddressRules({ app, on }: Pick<RegisterContext<object>, "app" | "on">): void {
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
  await app.service(accountMails).request({ kind: "addressChange", ...change });
}

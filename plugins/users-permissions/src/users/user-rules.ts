import { randomInt } from "node:crypto";
import { type App, type RegisterContext, transformInput, type WriteEvent, writeHooks } from "@plinth/core";
import { USER } from "../content-types/user.js";
import { keepAddressRules } from "./address-change.js";
import { keepNameRules } from "./name-rules.js";
import { keepPasswordRules } from "./password-rules.js";

type Data = Readonly<Record<string, unknown>>;

const MAX_VERSION = 2 ** 31;

/**
 * Enforces the rules of users for every way of writing them: an address is in lower case, and a new password or being
 * blocked ends all sessions. Versions are random: the old one is not needed, and users never get that of another.
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

/** A version that no token has. */
export function newSessionVersion(): number {
  return randomInt(1, MAX_VERSION);
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

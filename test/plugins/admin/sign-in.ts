import type { App } from "@plinth/core";
import { printSessionKey } from "#plugins/admin/src/access/session-key.js";
import { sessions } from "#plugins/admin/src/access/sessions.js";
import { administrators } from "@plinth/plugin-api-tokens";

const ADMINISTRATOR = "plugin::api-tokens.admin";

/** The password of administrators that `signIn` makes. */
export const PASSWORD = "correct horse battery";

/** The headers of a request of the page, by an administrator with a role, who is made when they first sign in. */
export async function signIn(app: App, role: string): Promise<Readonly<Record<string, string>>> {
  const user = await administratorOf(app, role);
  const { key } = await app.service(sessions).open({ user, stay: false, agent: "test" });
  return { cookie: `plinth-admin=${printSessionKey(key)}`, "sec-fetch-site": "same-origin" };
}

/** The administrator with a role: `editor@example.com` of `editor`. */
export async function administratorOf(
  app: App,
  role: string,
): Promise<{ readonly id: number; readonly documentId: string; readonly email: string }> {
  const email = `${role}@example.com`;
  const found = (await app.service(administrators).list()).find((known) => known.email === email);
  if (found) return found;
  const { id, documentId } = await app.service(administrators).create(email, PASSWORD);
  await app.documents(ADMINISTRATOR).update({ documentId, data: { role } });
  return { id, documentId, email };
}

import type { App } from "@plinth/core";
import { sessions } from "../access/sessions.js";
import { accountMails } from "./account-mails.js";

/** Listens to no other process any more, and waits for mails that are on their way. */
export async function endAccounts(app: App): Promise<void> {
  app.service(sessions).close();
  await app.service(accountMails).settle();
}

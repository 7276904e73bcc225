import type { TemplateMail } from "@plinth/core";
import type { Account } from "../contract.js";
import type { MailTools } from "./account-mails.js";
import { type StoredToken, storeToken } from "./one-time-code.js";

/** A code that is on its way to somebody. */
interface CodeMail {
  readonly account: Account;
  readonly stored: StoredToken;
  readonly mail: TemplateMail;
}

/**
 * Stores the hash of a code and mails the code; nothing of it where the account has another address by now. Where jobs send
 * mails, both are one transaction: no code is stored whose mail is lost. Without them the mail server is not waited for in one.
 */
export async function mailCode({ app, mailer }: MailTools, { account, stored, mail }: CodeMail): Promise<void> {
  const work = async () => {
    if (await storeToken(app, account, stored)) await mailer.send(mail);
  };
  await (app.has("jobs") ? app.db.transaction(work) : work());
}

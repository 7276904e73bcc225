import { implement } from "@plinth/core";
import type { Jobs } from "@plinth/plugin-jobs";
import type { UsersPermissionsConfig } from "../config.js";
import { MAX_NAME_LENGTH } from "../content-types.js";
import { mailer, users } from "../contract.js";
import { secretsOf } from "../jwt/jwt.js";
import { jobs } from "../mail/mail-job.js";
import { type Sealed, seal, unseal } from "../mail/seal.js";
import { type AccountMail, type AccountMails, accountMails, type MailTools } from "./account-mails.js";
import { type BackgroundTasks, createAfterwards } from "./background-tasks.js";
import { sendAddressChange, sendConfirmationCode } from "./email-confirmation.js";
import { sendResetCode } from "./new-password.js";

const NAME = "users-permissions:account-mail";

const deps = { users, mailer };

/** Mails about accounts. */
export const accountMailsImpl = implement<AccountMails, typeof deps, UsersPermissionsConfig>(accountMails, {
  deps,
  create: (services, { app, config }) => createAccountMails({ ...services, app, config }, createAfterwards(app)),
});

function createAccountMails(tools: MailTools, afterwards: BackgroundTasks): AccountMails {
  const { app, config } = tools;
  const send = (mail: AccountMail) => sendMail(tools, mail);
  return {
    request: async (mail) => {
      // Longer than the address of any user may be: a job would only keep it.
      if ("address" in mail && mail.address.length > MAX_NAME_LENGTH) return;
      if (app.has("jobs")) await app.extension(jobs).enqueue<Sealed>(NAME, seal(mail, secretsOf(app, config)[0]));
      else app.db.afterCommit(() => afterwards.run(`mailing a user: ${mail.kind}`, () => send(mail)));
    },
    send,
    settle: () => afterwards.settle(),
  };
}

async function sendMail(tools: MailTools, mail: AccountMail): Promise<void> {
  if (mail.kind === "resetCode") return await sendResetCode(tools, mail.address);
  if (mail.kind === "confirmationCode") return await sendConfirmationCode(tools, mail.address);
  return await sendAddressChange(tools, mail);
}

/** Jobs that write mails; the mails are jobs of their own, and as a rule it is their server that is down. */
export function defineAccountMailJob(known: Jobs, config: UsersPermissionsConfig): void {
  known.define<Sealed>({
    ...{ name: NAME, concurrency: 3 },
    run: ({ data, app }) => app.service(accountMails).send(unseal<AccountMail>(data, secretsOf(app, config))),
  });
}

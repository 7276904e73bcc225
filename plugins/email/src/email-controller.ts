import { type App, type ControllerFactory, isPlinthError, type WrittenMail } from "@plinth/core";
import type { EmailConfig } from "./config.js";
import { EmailNotSentError } from "./errors.js";
import { parseEmail } from "./parse-email.js";

/** Sends mails, by `app.mail` as all others are sent. */
export const createEmailController: ControllerFactory = ({ app }) => ({
  /** @throws PLINTH_EMAIL_INVALID (400), PLINTH_EMAIL_NOT_SENT, PLINTH_DATABASE_* (503) */
  send: async ({ request: { body } }) => {
    const { recipients, mail } = parseEmail(body, app.plugin("email").config as EmailConfig);
    const send = async () => {
      for (const to of recipients) await sendOne(app, { ...mail, to });
    };
    // Where jobs send them, all of them wait or none: a client that repeats a failed request sends none twice.
    await (app.has("jobs") ? app.db.transaction(send) : send());
    return {};
  },
});

async function sendOne(app: App, written: WrittenMail): Promise<void> {
  try {
    await app.mail.send(written);
  } catch (error) {
    if (isPlinthError(error) && error.status === 503) throw error;
    throw new EmailNotSentError({}, { cause: error });
  }
}

import type { ControllerFactory } from "@plinth/core";
import type { EmailConfig } from "./config.js";
import { parseEmail } from "./parse-email.js";

/** Sends mails, by `app.mail` as all others are sent. */
export const createEmailController: ControllerFactory = ({ app }) => ({
  /** @throws PLINTH_EMAIL_INVALID (400), and what `app.mail.send` throws */
  send: async ({ request: { body } }) => {
    const { recipients, mail } = parseEmail(body, app.plugin("email").config as EmailConfig);
    const send = async () => {
      for (const to of recipients) await app.mail.send({ ...mail, to });
    };
    // Where jobs send them, all of them wait or none: a client that repeats a failed request sends none twice.
    await (app.has("jobs") ? app.db.transaction(send) : send());
    return {};
  },
});

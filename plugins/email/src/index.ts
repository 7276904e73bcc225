/** The public entry of the email plugin. */
import { definePlugin } from "@plinth/core";
import { type EmailConfig, parseConfig } from "./config.js";
import { createEmailController } from "./email-controller.js";
import { limitSenders } from "./limit-senders.js";
import { emailRoute } from "./route.js";

export type { EmailConfig } from "./config.js";

/** `POST /api/email`: mails that clients of the content API send. */
export const emailPlugin = definePlugin<EmailConfig>({
  name: "email",
  config: parseConfig,
  controllers: { email: createEmailController },
  middlewares: { "limit-senders": limitSenders },
  routes: [emailRoute],
});

export default emailPlugin;

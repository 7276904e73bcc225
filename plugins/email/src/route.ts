import type { Route } from "@plinth/core";
import { emailBody } from "./parse-email.js";

/** Where clients expect it; closed unless `plugin::email.email.send` is granted. */
export const emailRoute: Route = {
  method: "POST",
  path: "/email",
  handler: "email.send",
  config: { prefix: "", middlewares: ["limit-senders"] },
  description: {
    tag: "Email",
    summary: "Send a mail",
    name: "sendEmail",
    body: { schema: emailBody },
    answers: { 200: { description: "It is sent, or waits to be sent", schema: { type: "object" } } },
    errors: [429],
  },
};

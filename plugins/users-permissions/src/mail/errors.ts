import { createError, describeKnown } from "@plinth/core";

/** A template names a variable that its mail does not have. */
export const UnknownVariableError = createError<{
  readonly template: string;
  readonly variable: string;
  readonly known: readonly string[];
}>(
  "PLINTH_MAIL_UNKNOWN_VARIABLE",
  500,
  (d) => `The mail template "${d.template}" uses {{ ${d.variable} }}. ${describeKnown(d.variable, d.known)}`,
  {
    cause: "A subject, text or html of a mail template has a name in braces that is not one of its variables.",
    remedy: "Use the variables that the message lists.",
  },
);

/** A mail uses a template that is not configured. */
export const UnknownTemplateError = createError<{ readonly template: string; readonly known: readonly string[] }>(
  "PLINTH_MAIL_UNKNOWN_TEMPLATE",
  500,
  (d) => `There is no mail template "${d.template}". ${describeKnown(d.template, d.known)}`,
  {
    cause: "mailer.send got a name that is neither built in nor under mail.templates of the configuration.",
    remedy: "Add the template to the configuration, or use one that the message lists.",
  },
);

/** A mail cannot be sent, because nothing says how. */
export const NoTransportError = createError<object>(
  "PLINTH_MAIL_NO_TRANSPORT",
  500,
  () => "No mail can be sent: mail.smtp is not configured.",
  {
    cause: "The app runs in production, and the configuration of users-permissions names no SMTP server.",
    remedy: "Set mail.smtp, such as smtps://user:password@mail.example.com, and mail.from.",
  },
);

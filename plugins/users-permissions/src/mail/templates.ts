import type { MailTemplate } from "./template.js";

/** What both mails of this plugin may say; `link` holds the `code`. */
export const builtInVariables: readonly string[] = ["username", "email", "code", "link"];

/** The mails that this plugin sends, as they are unless the configuration says otherwise. */
export const builtInTemplates = {
  resetPassword: {
    subject: "Reset your password",
    text: `Hello {{ username }},

somebody asked for a new password for your account. If it was you, choose one here:

{{ link }}

The link works once, and not for long. If it was not you, there is nothing to do: your password stays as it is.
`,
  },
  emailConfirmation: {
    subject: "Confirm your e-mail address",
    text: `Hello {{ username }},

thank you for registering. Please confirm that this address is yours:

{{ link }}
`,
  },
} as const satisfies Readonly<Record<string, MailTemplate>>;

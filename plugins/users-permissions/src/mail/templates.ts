import type { MailTemplate } from "./template.js";

/** What the mails of this plugin may say; `link` holds the `code`. */
export const builtInVariables = {
  resetPassword: ["username", "email", "code", "link"],
  emailConfirmation: ["username", "email", "code", "link"],
  emailChanged: ["username", "email"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

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
  emailChanged: {
    subject: "Your e-mail address was changed",
    text: `Hello {{ username }},

the e-mail address of your account was {{ email }}, and is another one now. Codes that were sent here do not work any more.

If it was not you, tell the operators of this service: somebody else has access to your account.
`,
  },
} as const satisfies Readonly<Record<keyof typeof builtInVariables, MailTemplate>>;

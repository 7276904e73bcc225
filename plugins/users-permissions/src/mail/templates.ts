import type { Account } from "../contract.js";
import { InvalidMailError, UnknownVariableError } from "../errors.js";

/** A mail with placeholders: `Hello {{ username }}`. Only names in braces are replaced; no code runs. */
export interface MailTemplate {
  readonly subject: string;
  readonly text: string;
  /** Values are escaped in it. */
  readonly html?: string | undefined;
}

/** Values by name; each is put in as text. They come from code that may not be typed. */
type MailVariables = Readonly<Record<string, unknown>>;

const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/g;
const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Puts values into a template.
 *
 * @param name - of the template, for messages.
 * @throws PLINTH_MAIL_UNKNOWN_VARIABLE (500) details `{ template, variable, known }`, PLINTH_MAIL_INVALID (500) for a value
 *   that has no text
 */
export function renderTemplate(name: string, template: MailTemplate, variables: MailVariables): MailTemplate {
  const fill = (text: string, write: (value: string) => string) =>
    text.replace(PLACE, (_place, variable: string) => {
      if (!Object.hasOwn(variables, variable))
        throw new UnknownVariableError({ template: name, variable, known: Object.keys(variables) });
      return write(textOf(variable, variables[variable]));
    });
  return {
    subject: fill(template.subject, oneLine),
    text: fill(template.text, (value) => value),
    ...(template.html === undefined ? {} : { html: fill(template.html, escapeHtml) }),
  };
}

/** @throws PLINTH_MAIL_INVALID (500) */
function textOf(variable: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  const is = value === null ? "null" : Array.isArray(value) ? "a list" : `of the type ${typeof value}`;
  throw new InvalidMailError({ problems: [`the variable "${variable}" must be a string or a number, and is ${is}`] });
}

/** The names in braces in a template. */
export function variablesOf({ subject, text, html = "" }: MailTemplate): readonly string[] {
  return [...`${subject}\n${text}\n${html}`.matchAll(PLACE)].map(([, variable = ""]) => variable);
}

/** A line break in a subject could start a header of its own. */
function oneLine(value: string): string {
  return value.replaceAll(/\p{Cc}+/gu, " ");
}

function escapeHtml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** Text that no mail program turns into a link. */
const PLAIN = /^[\p{L}\p{M}\p{N} _'’-]{1,64}$/u;

/**
 * The name in the greeting of a mail: the username where it is plain words, else the address. People choose their names
 * themselves and give any address, so a name must not carry an advertisement to another person.
 */
export function greetedName({ username, email }: Pick<Account, "username" | "email">): string {
  return PLAIN.test(username) ? username : email;
}

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

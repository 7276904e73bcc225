import { UnknownVariableError } from "./errors.js";

/** A mail with placeholders: `Hello {{ username }}`. Only names in braces are replaced; no code runs. */
export interface MailTemplate {
  readonly subject: string;
  readonly text: string;
  /** Values are escaped in it. */
  readonly html?: string | undefined;
}

/** Values by name; each is put in as text. */
export type MailVariables = Readonly<Record<string, string>>;

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
 * @throws PLINTH_MAIL_UNKNOWN_VARIABLE (500) details `{ template, variable, known }`
 */
export function renderTemplate(name: string, template: MailTemplate, variables: MailVariables): MailTemplate {
  const fill = (text: string, write: (value: string) => string) =>
    text.replace(PLACE, (_place, variable: string) => {
      const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
      if (value === undefined)
        throw new UnknownVariableError({ template: name, variable, known: Object.keys(variables) });
      return write(value);
    });
  return {
    subject: fill(template.subject, oneLine),
    text: fill(template.text, (value) => value),
    ...(template.html === undefined ? {} : { html: fill(template.html, escapeHtml) }),
  };
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

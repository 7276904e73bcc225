import { type Fail, readKeys } from "../config-values.js";
import { isRecord } from "../body/check-body.js";
import { type MailTemplate, variablesOf } from "./template.js";
import { builtInTemplates, builtInVariables } from "./templates.js";

/** How mails are sent, and what is in them. */
export interface MailConfig {
  /** `smtps://user:password@mail.example.com`. Undefined: mails are kept, in production refused. */
  readonly smtp: string | undefined;
  /** The sender: `Us <us@example.com>`. */
  readonly from: string;
  /** Where answers go; undefined: to the sender. */
  readonly replyTo: string | undefined;
  /** By name: those of this plugin, some replaced, and others that an app or a plugin adds. */
  readonly templates: Readonly<Record<string, MailTemplate>>;
}

/** Mails are kept, and come from nobody who answers. */
export const mailDefaults: MailConfig = {
  smtp: undefined,
  from: "no-reply@localhost",
  replyTo: undefined,
  templates: builtInTemplates,
};

/** Reads `mail: { smtp: env("SMTP_URL"), from: "Us <us@example.com>", templates: { resetPassword: { subject, text } } }`. */
export function parseMailConfig(value: unknown, fail: Fail): MailConfig {
  const given = readKeys(value, Object.keys(mailDefaults), fail) as Partial<MailConfig>;
  const { from = mailDefaults.from, replyTo } = given;
  const smtp = given.smtp || undefined;
  if (smtp !== undefined && !/^smtps?:\/\//.test(String(smtp)))
    fail("has to have an smtp:// or smtps:// URL under smtp");
  if (typeof from !== "string" || !["string", "undefined"].includes(typeof replyTo)) {
    fail("has to have addresses under from and replyTo");
  }
  const templates: unknown = given.templates ?? {};
  if (!isRecord(templates) || !Object.values(templates).every(isTemplate)) {
    fail("has to have { subject, text, html? } under each name of templates");
    return mailDefaults;
  }
  for (const [name, known] of Object.entries<readonly string[]>(builtInVariables)) {
    const used = isTemplate(templates[name]) ? variablesOf(templates[name]) : [];
    const unknown = used.filter((variable) => !known.includes(variable));
    if (unknown.length > 0) fail(`has ${unknown.join(", ")} in a template, where only ${known.join(", ")} are known`);
  }
  const all = { ...builtInTemplates, ...(templates as Readonly<Record<string, MailTemplate>>) };
  return { smtp, from, replyTo, templates: all };
}

function isTemplate(value: unknown): value is MailTemplate {
  if (!isRecord(value)) return false;
  const { subject, text, html } = value;
  return typeof subject === "string" && typeof text === "string" && ["string", "undefined"].includes(typeof html);
}

import { allowed, noList, option, options, secret, text, type OptionsOf } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { type MailTemplate, variablesOf } from "./template.js";
import { builtInTemplates, builtInVariables } from "./templates.js";

const template = options({ subject: v.string(), text: v.string(), html: v.optional(v.string()) });
const templates = noList(v.record(v.string(), template));

const smtp = v.pipe(
  v.union([v.literal(""), v.pipe(v.string(), v.regex(/^smtps?:\/\//))]),
  secret(),
  allowed("an smtp:// or smtps:// URL"),
  v.transform((url) => url || undefined),
);

/** How mails are sent, and their content. By default they are kept as files, and come from a no-reply address. */
export const mailConfig = options({
  smtp: option(smtp, "`smtps://user:password@mail.example.com`. Undefined: mails are kept, in production refused."),
  from: option(text("Us <us@example.com>"), "The sender: `Us <us@example.com>`.", "no-reply@localhost"),
  replyTo: option(v.string(), "Where answers go; undefined: to the sender."),
  templates: option(
    v.pipe(
      templates,
      v.rawCheck(({ dataset, addIssue }) => {
        if (dataset.typed) for (const message of unknownVariables(dataset.value)) addIssue({ message });
      }),
      v.transform((given) => ({ ...builtInTemplates, ...given }) as Readonly<Record<string, MailTemplate>>),
    ),
    "By name, each `{ subject, text, html? }`: those of this plugin, some replaced, and others that an app or a plugin adds.",
    {},
  ),
});

/** How mails are sent, and what is in them. */
export type MailConfig = OptionsOf<typeof mailConfig>;

function unknownVariables(templates: Readonly<Record<string, MailTemplate>>): readonly string[] {
  return Object.entries<readonly string[]>(builtInVariables).flatMap(([name, known]) => {
    const used = templates[name] ? variablesOf(templates[name]) : [];
    const unknown = used.filter((variable) => !known.includes(variable));
    return unknown.length === 0
      ? []
      : [`has ${unknown.join(", ")} in ${name}, where only ${known.join(", ")} are known`];
  });
}

import { type App, implement } from "@plinth/core";
import type { UsersPermissionsConfig } from "../config.js";
import { type Mail, type Mailer, mailer } from "../contract.js";
import type { MailConfig } from "./config.js";
import { UnknownTemplateError } from "./errors.js";
import { renderTemplate } from "./template.js";
import { createTransport } from "./transport.js";

/** Mails by SMTP, or kept where there is no server. */
export const mailerImpl = implement<Mailer, Record<never, never>, UsersPermissionsConfig>(mailer, {
  create: (_deps, { app, config }) => createMailer(app, config.mail),
});

function createMailer(app: App, config: MailConfig): Mailer {
  const transport = createTransport(app, config);
  const deliver = (mail: Mail) => transport.deliver(mail);
  return {
    send: (name, to, variables) => {
      const { templates } = config;
      const template = Object.hasOwn(templates, name) ? templates[name] : undefined;
      if (!template) throw new UnknownTemplateError({ template: name, known: Object.keys(templates) });
      return deliver({ to, ...renderTemplate(name, template, variables) });
    },
    deliver,
    kept: () => transport.kept(),
    close: () => transport.close(),
  };
}

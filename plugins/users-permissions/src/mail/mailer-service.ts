import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type App, type AppMail, implement, type MailOptions, type TemplateMail } from "@plinth/core";
import type { MailConfig, UsersPermissionsConfig } from "../config.js";
import { type Mail, type Mailer, mailer } from "../contract.js";
import { MailNeedsJobsError, NoTransportError, UnknownTemplateError } from "../errors.js";
import { assertMail } from "./assert-mail.js";
import { enqueueMail } from "./mail-job.js";
import { renderTemplate } from "./templates.js";

/** Mails by SMTP, or kept where there is no server. */
export const mailerImpl = implement<Mailer, Record<never, never>, UsersPermissionsConfig>(mailer, {
  create: (_deps, { app, config }) => createMailer(app, config),
});

function createMailer(app: App, config: UsersPermissionsConfig): Mailer {
  const transport = createTransport(app, config.mail);
  const deliver = (mail: Mail) => transport.deliver(mail);
  return {
    way: transport.way,
    send: async (given, options = {}) => {
      const mail = "template" in given ? writeMail(given, config.mail) : given;
      assertMail(mail);
      // What cannot be sent at all is said to the caller, and not to a log later.
      if (transport.way === "none") throw new NoTransportError({});
      if (app.has("jobs")) return await enqueueMail(app, config, mail, options);
      assertAtOnce(options);
      await deliver(mail);
    },
    deliver,
    kept: () => transport.kept(),
    close: () => transport.close(),
  };
}

/** @throws PLINTH_MAIL_NEEDS_JOBS (500) */
function assertAtOnce(options: MailOptions): void {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (given.length > 0) throw new MailNeedsJobsError({ options: given });
}

/** @throws PLINTH_MAIL_UNKNOWN_TEMPLATE, PLINTH_MAIL_UNKNOWN_VARIABLE, PLINTH_MAIL_INVALID (500) */
function writeMail({ to, template: name, variables }: TemplateMail, { templates }: MailConfig): Mail {
  const template = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (!template) throw new UnknownTemplateError({ template: name, known: Object.keys(templates) });
  return { to, ...renderTemplate(name, template, variables ?? {}) };
}

/** Takes mails away. */
interface MailTransport {
  readonly way: AppMail["way"];
  deliver(mail: Mail): Promise<void>;
  kept(): readonly Mail[];
  close(): void;
}

/** An SMTP server where one is configured; it is required in production. */
function createTransport(app: App, config: MailConfig): MailTransport {
  if (config.smtp !== undefined) return sendBySmtp(config.smtp, config);
  return app.environment === "production" ? refuse() : keep(app);
}

/** How long a mail server may take, in milliseconds; a stop of the app waits no longer. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

function sendBySmtp(url: string, config: MailConfig): MailTransport {
  let connecting: ReturnType<typeof connect> | undefined;
  return {
    way: "sent",
    deliver: async ({ to, replyTo, ...mail }) => {
      connecting ??= connect(url, config);
      const smtp = await connecting;
      // As an object it is one address, with any characters in it.
      const answers = replyTo === undefined ? {} : { replyTo: { name: "", address: replyTo } };
      await smtp.sendMail({ ...mail, ...answers, to: { name: "", address: to } });
    },
    kept: () => [],
    close: () => {
      // A failed connection was reported to the sender of the mail.
      connecting?.then(
        (smtp) => smtp.close(),
        () => undefined,
      );
    },
  };
}

/** The library is loaded with the first mail. */
async function connect(url: string, { from, replyTo }: MailConfig) {
  const { createTransport: createSmtp } = await import("nodemailer");
  // The content of mails is never loaded from a file or another server, with any text in them.
  const defaults = { from, ...(replyTo === undefined ? {} : { replyTo }) };
  return createSmtp({ url, pool: true, disableFileAccess: true, disableUrlAccess: true, ...TIMEOUTS }, defaults);
}

function refuse(): MailTransport {
  return {
    way: "none",
    deliver: async () => {
      throw new NoTransportError({});
    },
    kept: () => [],
    close: () => undefined,
  };
}

const MAX_KEPT = 100;

/** Mails that go nowhere: for development and tests. A file each, unless the data are in memory too. */
function keep(app: App): MailTransport {
  const isInMemory = app.config.get("database.directory") === ":memory:";
  const folder = isInMemory ? undefined : join(app.root, ".plinth", "mails");
  const mails: Mail[] = [];
  return {
    way: "kept",
    deliver: async (mail) => {
      mails.push(mail);
      if (mails.length > MAX_KEPT) mails.shift();
      const file = folder && (await keepMail(folder, mail));
      app.log.info(
        { file },
        `A mail "${mail.subject}" was kept${file ? ` in ${file}` : ""}, because mail.smtp is not set`,
      );
    },
    kept: () => [...mails],
    close: () => undefined,
  };
}

/** Readable by the owner only: there are codes in it. */
async function keepMail(folder: string, { to, replyTo, subject, text }: Mail): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${new Date().toISOString().replaceAll(":", "-")}-${process.hrtime.bigint()}.txt`);
  const answers = replyTo === undefined ? "" : `Reply-To: ${replyTo}\n`;
  await writeFile(file, `To: ${to}\n${answers}Subject: ${subject}\n\n${text}`, { mode: 0o600 });
  return file;
}

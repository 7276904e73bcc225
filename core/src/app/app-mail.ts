import type { App } from "../kernel/app.js";
import { NoMailError } from "./errors.js";

/** A mail that is made from a template, which the configuration has by name. */
export interface TemplateMail {
  readonly to: string;
  readonly template: string;
  /** Stand in the template by name, `{{ link }}`; texts, put in as they are, and escaped in its HTML. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A mail that is written already. */
export interface WrittenMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  /** Where answers to it go. Default: `mail.replyTo` of the configuration. */
  readonly replyTo?: string | undefined;
}

/** How a mail is sent. */
export interface MailOptions {
  /** Not before. */
  readonly at?: Date;
  /** One mail with this key waits to be sent: another is not added to it. */
  readonly key?: string;
}

/**
 * What becomes of mails: a server takes them; they are kept on this machine, as in development; or they cannot go, because no
 * server is configured where one has to be.
 */
export type MailWay = "sent" | "kept" | "none";

/** Mails of an app. */
export interface AppMail {
  /** What becomes of mails: where it is `none`, `send` throws. */
  readonly way: MailWay;
  /**
   * Sends a mail. Where the app has jobs, one of them does: the mail belongs to the transaction of the caller, a server that
   * does not answer is tried again, and a process that dies loses none; it may be sent twice then. Elsewhere it is sent at once.
   *
   * @throws PLINTH_MAIL_* (500) for a template or a variable that is not there, or where no server is configured
   */
  send(mail: TemplateMail | WrittenMail, options?: MailOptions): Promise<void>;
}

declare module "../kernel/app.js" {
  interface App {
    /** Sends mails; from bootstrap on. @throws PLINTH_MAIL_NONE (500) where no plugin of the app sends mails */
    readonly mail: AppMail;
  }
}

declare module "../kernel/registries.js" {
  interface Registries {
    /** What sends the mails of an app; the first plugin that has one. */
    mail: (app: App) => AppMail;
  }
}

/** What sends the mails of an app. @throws PLINTH_MAIL_NONE (500) */
export function appMail(app: App): AppMail {
  const [first] = app.registry("mail").entries();
  if (!first) throw new NoMailError({});
  return first[1](app);
}

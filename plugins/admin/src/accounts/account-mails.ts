import { type App, type AppMail, type ServiceRef, serviceRef } from "@plinth/core";
import type { AdminConfig } from "../config.js";
import { type MailKind, type MailValues, writeMail } from "./mail-texts.js";

/** Who gets a mail, in which language. */
export interface Recipient {
  readonly email: string;
  /** As BCP 47 has it; null: English. */
  readonly language: string | null;
}

/** Mails about accounts, where the app sends any. */
export class AccountMails {
  readonly #running = new Set<Promise<void>>();

  constructor(
    private readonly app: App,
    private readonly brand: AdminConfig["brand"],
  ) {}

  /** What becomes of mails. */
  get way(): AppMail["way"] {
    return this.app.registry("mail").entries().length > 0 ? this.app.mail.way : "none";
  }

  /**
   * Whether a forgotten password can be reset by mail: every visitor may ask for such a mail, so that its link has to lead to an address that the
   * configuration names, never to one that a request names.
   */
  get canReset(): boolean {
    return this.way !== "none" && (this.#configuredUrl !== undefined || this.app.environment !== "production");
  }

  /** Where links in mails lead that no administrator has asked for. */
  get url(): string {
    return this.#configuredUrl ?? `http://localhost:${this.app.config.get<number>("server.port", 1337)}`;
  }

  /** Sends a mail. @throws what the mail server says */
  async send(kind: MailKind, { email, language }: Recipient, values: Omit<MailValues, "brand">): Promise<void> {
    await this.app.mail.send({
      to: email,
      ...writeMail(kind, language ?? "en", { ...values, brand: this.brand.name }),
    });
  }

  /**
   * Tells somebody what was done with their account, by a job of the transaction of the caller; where there are no jobs, after
   * the answer. Where mails cannot be sent, nothing.
   */
  async tell(kind: MailKind, to: Recipient): Promise<void> {
    if (this.way === "none") return;
    const send = () => this.send(kind, to, { link: `${this.url}/admin` });
    if (this.app.has("jobs")) await send();
    else this.app.db.afterCommit(() => this.afterwards(`telling an administrator: ${kind}`, send));
  }

  /** Does something after the answer, so that its time reveals nothing. @param what - for the log, when it fails */
  afterwards(what: string, work: () => Promise<unknown>): void {
    const done: Promise<void> = new Promise((resolve) => setImmediate(resolve))
      .then(work)
      .then(
        () => undefined,
        (err: unknown) => this.app.log.error({ err }, `Failed: ${what}`),
      )
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  /** Waits until nothing is left to do. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  get #configuredUrl(): string | undefined {
    return this.app.config.get<string>("server.url");
  }
}

/** The plugin's own: who changes accounts tells their owners. */
export const accountMails: ServiceRef<AccountMails> = serviceRef<AccountMails>("plugin::admin.account-mails");

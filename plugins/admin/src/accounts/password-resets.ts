import { type App, type ServiceRef, serviceRef } from "@plinth/core";
import { addressGroup, createDatabaseCounters } from "@plinth/core/access";
import { seal, unseal } from "../access/seal.js";
import { Tickets } from "../access/tickets.js";
import type { AdminConfig } from "../config.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { jobs } from "../known-jobs.js";
import type { AccountMails } from "./account-mails.js";
import type { StoredAccount } from "./accounts.js";
import { NoMailError, ResetInvalidError, TooManyRequestsError } from "./errors.js";
import { assertPassword } from "./password-rules.js";

/** What a link for a new password says: it holds for the password that there is. */
interface Reset {
  readonly account: string;
  readonly version: number;
}

const HOUR = 3600;
/** Seconds that a link is valid. */
const LIFE = HOUR;
/** Forgotten passwords that an address may report in an hour, and mails that an account gets then. */
const PER_ADDRESS = 20;
const PER_ACCOUNT = 3;

/** Name of the job that mails a link. */
export const FORGOTTEN_PASSWORD = "admin:forgotten-password";

/** The address of somebody who says that a password is forgotten, as it waits. */
export interface Forgot {
  readonly sealed: string;
}

/** Somebody who says that a password is forgotten. */
interface Forgotten {
  readonly email: string;
  readonly address: string;
  /** Called with the seconds to wait, before it is refused for the number of such requests. */
  readonly retryAfter: (seconds: number) => void;
}

/**
 * Links for a new password, each for one use within an hour. Nothing is stored of them: a link names the password by its version, so that
 * a new one ends them all.
 */
export class PasswordResets {
  readonly #tickets: Tickets<Reset>;

  constructor(
    private readonly app: App,
    private readonly config: AdminConfig,
    private readonly mails: AccountMails,
  ) {
    this.#tickets = new Tickets(app, "password reset", LIFE);
  }

  /** Hours that a link is valid. */
  static readonly hours = LIFE / HOUR;

  /** The code of a link for an account as it was read: it is void where the account got another role since. */
  codeFor({ documentId, sessionVersion }: Pick<StoredAccount, "documentId" | "sessionVersion">): string {
    return this.#tickets.issue({ account: documentId, version: sessionVersion });
  }

  /**
   * Has a link mailed, by a job; where there are no jobs, after the answer. Neither answer nor time tell whether there is such an account.
   *
   * @throws PLINTH_ADMIN_NO_MAIL (409), PLINTH_ADMIN_TOO_MANY_REQUESTS (429)
   */
  async forgot({ email, address, retryAfter }: Forgotten): Promise<void> {
    if (!this.mails.canReset) throw new NoMailError({});
    const count = await this.#count(`address ${addressGroup(address)}`);
    if (count.value > PER_ADDRESS) {
      retryAfter(Math.max(1, Math.ceil((count.endsAt - Date.now()) / 1000)));
      throw new TooManyRequestsError({});
    }
    const forgot = { sealed: seal(this.app, FORGOTTEN_PASSWORD, email.toLowerCase()) };
    if (this.app.has("jobs")) await this.app.extension(jobs).enqueue<Forgot>(FORGOTTEN_PASSWORD, forgot);
    else this.mails.afterwards("mailing a link for a new password", () => this.mail(forgot));
  }

  /**
   * Sets a new password; all sessions of the account end.
   *
   * @throws PLINTH_ADMIN_RESET_INVALID (403), PLINTH_ADMIN_INVALID (400)
   */
  async reset(code: string, password: string): Promise<StoredAccount> {
    return await this.app.db.transaction(async () => {
      const { account, version } = this.#tickets.read(code) ?? {};
      if (account === undefined || !(await this.#documents.lock(account))) throw new ResetInvalidError({});
      const found = await this.#documents.findOne({ documentId: account, withPrivate: true });
      if (found?.["isActive"] !== true || found["sessionVersion"] !== version) throw new ResetInvalidError({});
      const known = found as unknown as StoredAccount;
      assertPassword(this.config, password, known);
      await this.#documents.update({ documentId: account, data: { password } });
      return known;
    });
  }

  /** Mails the link to an address that was reported, if there is an account with it. */
  async mail({ sealed }: Forgot): Promise<void> {
    const { value: email } = unseal<string>(this.app, FORGOTTEN_PASSWORD, sealed) ?? {};
    if (email === undefined) return;
    const found = await this.#documents.findFirst({
      ...{ filters: { email, isActive: true }, withPrivate: true },
    });
    if (!found || (await this.#count(`account ${found.documentId}`)).value > PER_ACCOUNT) return;
    const account = found as unknown as StoredAccount;
    const link = `${this.mails.url}/admin/reset#${this.codeFor(account)}`;
    const { language } = account;
    await this.mails.send("reset", { email, language }, { link, hours: PasswordResets.hours });
  }

  async #count(what: string): Promise<{ readonly value: number; readonly endsAt: number }> {
    const key = `admin forgotten password|${what}`;
    const [count = { value: 1, endsAt: 0 }] = await createDatabaseCounters(this.app).add([
      { key, by: 1, interval: HOUR },
    ]);
    return count;
  }

  get #documents() {
    return this.app.documents(ADMINISTRATOR_TYPE);
  }
}

/** The plugin's own: links for new passwords. */
export const passwordResets: ServiceRef<PasswordResets> = serviceRef<PasswordResets>("plugin::admin.password-resets");

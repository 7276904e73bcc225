import { type App, type ServiceRef, serviceRef } from "@plinth/core";
import type { UsersPermissionsConfig } from "../config.js";
import type { Mailer, Users } from "../contract.js";

/** Another e-mail address of a user. */
export interface AddressChange {
  readonly userId: number;
  /** Undefined where it was never confirmed: it may belong to another person. */
  readonly oldAddress?: string | undefined;
}

/** Mails about an account that are still to be written. No user need have the address. */
export type AccountMail =
  | { readonly kind: "resetCode"; readonly address: string }
  | { readonly kind: "confirmationCode"; readonly address: string }
  | ({ readonly kind: "addressChange" } & AddressChange);

/** What mails about accounts are written with. */
export interface MailTools {
  readonly app: App;
  readonly config: UsersPermissionsConfig;
  readonly users: Users;
  readonly mailer: Mailer;
}

/** Mails about accounts: whose they are is looked up, and a code made, where no answer waits for it. */
export interface AccountMails {
  /**
   * Has a mail written and sent, by a job of the transaction of the caller; where there are no jobs, after its commit and the
   * answer. It takes as long for an address that no user has.
   */
  request(mail: AccountMail): Promise<void>;
  /** Writes and sends one that was requested. */
  send(mail: AccountMail): Promise<void>;
  /** Waits for what is done after answers. */
  settle(): Promise<void>;
}

/** The plugin's own: who changes accounts requests mails about them. */
export const accountMails: ServiceRef<AccountMails> = serviceRef<AccountMails>(
  "plugin::users-permissions.account-mails",
);

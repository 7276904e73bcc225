import { type ActorUser, type App, type ServiceRef, serviceRef, UnauthenticatedError } from "@plinth/core";
import { CHANNEL, EVERY } from "../access/known-sessions.js";
import type { Roles } from "../access/roles.js";
import type { Sessions } from "../access/sessions.js";
import { accountMails, type Recipient } from "../accounts/account-mails.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { AUTHENTICATOR_TYPE, PASSKEY_TYPE } from "../content-types/second-factor.js";
import type { FactorAdded, FactorKind, FactorOverview } from "../wire/second-factor.js";
import { FactorRequiredError } from "./errors.js";
import { hasFactorSql } from "./has-factor.js";
import { passkeysOf, viewOfPasskey } from "./passkeys.js";
import { countRecoveryCodes, dropRecoveryCodes, makeRecoveryCodes, spendRecoveryCode } from "./recovery-codes.js";
import { dropTotp, spendTotp } from "./totp.js";

type Owner = Pick<ActorUser, "documentId">;

/** What an authenticator app shows; everything else that is typed is taken for a recovery code. */
const DIGITS = /^\s*\d(?:\s*\d){5}\s*$/;

/** Services that second factors build on. */
interface Deps {
  readonly roles: Roles;
  readonly sessions: Sessions;
}

/** The second factors of administrators: an authenticator app, passkeys, and codes for when neither is at hand. */
export class SecondFactors {
  constructor(
    private readonly app: App,
    private readonly deps: Deps,
  ) {}

  /** What an account can prove itself with; nothing: it has no second factor. */
  async kindsOf(account: Owner): Promise<readonly FactorKind[]> {
    const [hasTotp, passkeys] = await Promise.all([this.#hasTotp(account), passkeysOf(this.app, account)]);
    if (!hasTotp && passkeys.length === 0) return [];
    const left = await countRecoveryCodes(this.app, account);
    return [
      ...(passkeys.length > 0 ? (["passkey"] as const) : []),
      ...(hasTotp ? (["totp"] as const) : []),
      ...(left > 0 ? (["recovery"] as const) : []),
    ];
  }

  /** The same of all accounts, by documentId; of recovery codes nothing. */
  async kindsOfAll(): Promise<ReadonlyMap<string, readonly FactorKind[]>> {
    const tableOf = (uid: string) => this.app.model.contentTypes.get(uid)?.table;
    const text = `select account, 'totp' as kind from "${tableOf(AUTHENTICATOR_TYPE)}"
      union select account, 'passkey' from "${tableOf(PASSKEY_TYPE)}" order by 2`;
    const rows = await this.app.db.query<{ account: string; kind: FactorKind }>({ text, values: [] });
    return grouped(rows);
  }

  /** Whether the role asks for a second factor that the account does not have. */
  async mustSetUp(account: Owner): Promise<boolean> {
    return (await this.#isRequired(account)) && !(await this.#hasAny(account));
  }

  /** What its owner sees of it. */
  async overview(account: Owner): Promise<FactorOverview> {
    const [hasTotp, passkeys, recoveryLeft, isRequired] = await Promise.all([
      this.#hasTotp(account),
      passkeysOf(this.app, account),
      countRecoveryCodes(this.app, account),
      this.#isRequired(account),
    ]);
    return { hasTotp, passkeys: passkeys.map(viewOfPasskey), recoveryLeft, isRequired };
  }

  /**
   * Uses a code of an authenticator app, or a recovery code, up. The owner gets a mail about a recovery code from here, whichever way to
   * sign in it came by, and in whichever field of a form.
   *
   * @returns what it was; undefined: it is not right
   */
  async spendCode(account: Owner, code: string): Promise<"totp" | "recovery" | undefined> {
    if (DIGITS.test(code)) return (await spendTotp(this.app, account, code)) ? "totp" : undefined;
    if (!(await spendRecoveryCode(this.app, account, code))) return undefined;
    const { documentId } = account;
    const owner = await this.app.documents(ADMINISTRATOR_TYPE).findOne({ documentId });
    if (owner) await this.app.service(accountMails).tell("recoveryUsed", owner as unknown as Recipient);
    return "recovery";
  }

  /**
   * Makes recovery codes in place of those that there are, and ends all other sessions. Undefined for an account without a second factor.
   *
   * @param kept - documentId of the session that goes on.
   * @returns the codes, this once
   */
  async renewRecoveryCodes(account: ActorUser, kept: string): Promise<readonly string[] | undefined> {
    return await this.app.db.transaction(async () => {
      await this.app.documents(ADMINISTRATOR_TYPE).lock(account.documentId);
      if (!(await this.#hasAny(account))) return undefined;
      await this.deps.sessions.endOthers(account, kept);
      return await makeRecoveryCodes(this.app, account);
    });
  }

  /**
   * Adds one, and ends all other sessions. With the first one there are recovery codes.
   *
   * @param kept - documentId of the session that goes on.
   * @throws PLINTH_ACCESS_UNAUTHENTICATED (401) for an administrator who is deleted
   */
  async add(account: ActorUser, kept: string, keep: () => Promise<void>): Promise<FactorAdded> {
    const recoveryCodes = await this.app.db.transaction(async () => {
      const isThere = await this.app.documents(ADMINISTRATOR_TYPE).lock(account.documentId);
      if (!isThere) throw new UnauthenticatedError({});
      const isFirst = !(await this.#hasAny(account));
      await keep();
      await this.deps.sessions.endOthers(account, kept);
      const isWithout = isFirst || (await countRecoveryCodes(this.app, account)) === 0;
      return isWithout ? await makeRecoveryCodes(this.app, account) : undefined;
    });
    return { secondFactor: await this.overview(account), ...(recoveryCodes ? { recoveryCodes } : {}) };
  }

  /**
   * Takes one away, and ends all other sessions. With the last one the recovery codes go.
   *
   * @param drop - false: there was none.
   * @throws PLINTH_ADMIN_SECOND_FACTOR_REQUIRED (409), and nothing has changed
   */
  async remove(account: ActorUser, kept: string, drop: () => Promise<boolean>): Promise<boolean> {
    return await this.app.db.transaction(async () => {
      await this.app.documents(ADMINISTRATOR_TYPE).lock(account.documentId);
      if (!(await drop())) return false;
      if (!(await this.#hasAny(account))) {
        if (await this.#isRequired(account)) throw new FactorRequiredError({});
        await dropRecoveryCodes(this.app, account);
      }
      await this.deps.sessions.endOthers(account, kept);
      return true;
    });
  }

  /** Takes all of an account away, and ends all its sessions. False where it has none. */
  async reset(account: Owner): Promise<boolean> {
    return await this.app.db.transaction(async () => {
      if (!(await this.#hasAny(account))) return false;
      await this.forget(account);
      await this.deps.sessions.endOthers({ id: 0, ...account }, undefined);
      return true;
    });
  }

  /** Deletes what there is of an account that is gone. */
  async forget(account: Owner): Promise<void> {
    await dropTotp(this.app, account);
    await dropRecoveryCodes(this.app, account);
    const text = `delete from "${this.app.model.contentTypes.get(PASSKEY_TYPE)?.table}" where account = $1`;
    await this.app.db.query({ text, values: [account.documentId] });
    await this.app.db.messages.publish(CHANNEL, EVERY);
  }

  async #hasTotp({ documentId }: Owner): Promise<boolean> {
    const found = await this.app.documents(AUTHENTICATOR_TYPE).findFirst({ filters: { account: documentId } });
    return found !== null;
  }

  async #hasAny({ documentId }: Owner): Promise<boolean> {
    const text = `select ${hasFactorSql(this.app.model.contentTypes, "$1")} as has_any`;
    const [row] = await this.app.db.query<{ has_any: boolean }>({ text, values: [documentId] });
    return row?.has_any ?? false;
  }

  async #isRequired(account: Owner): Promise<boolean> {
    const found = await this.app.documents(ADMINISTRATOR_TYPE).findOne({ documentId: account.documentId });
    if (!found) return false;
    const powers = await this.deps.roles.powersOf(String(found["role"]), { id: found.id, ...account });
    return powers.needsSecondFactor;
  }
}

function grouped(
  rows: readonly { readonly account: string; readonly kind: FactorKind }[],
): ReadonlyMap<string, readonly FactorKind[]> {
  const found = new Map<string, FactorKind[]>();
  for (const { account, kind } of rows) found.set(account, [...(found.get(account) ?? []), kind]);
  return found;
}

/** The plugin's own: signing in asks it. */
export const secondFactors: ServiceRef<SecondFactors> = serviceRef<SecondFactors>("plugin::admin.second-factors");

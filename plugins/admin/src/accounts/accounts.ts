import { type ActorUser, type App, type Document, NotFoundError, type ServiceRef, serviceRef } from "@plinth/core";
import { SUPER } from "../access/given-roles.js";
import { ROLES_LOCK, type Roles } from "../access/roles.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { UnknownRoleError } from "../errors.js";
import type { SecondFactors } from "../second-factor/second-factors.js";
import type { AccountChanges, AccountView, RoleChoice } from "../wire/accounts.js";
import { LastSuperError, OwnAccountError } from "./errors.js";

/** Services that accounts build on. */
interface Deps {
  readonly roles: Roles;
  readonly secondFactors: SecondFactors;
}

/** An administrator as they are stored. */
export interface StoredAccount extends ActorUser {
  readonly name: string | null;
  readonly email: string;
  readonly role: string;
  readonly isActive: boolean;
  /** Another one with each new password, role and state. */
  readonly sessionVersion: number;
  readonly language: string | null;
  readonly lastSeenAt: string | null;
  readonly createdAt: string;
}

/** The administrators, as administrators look after each other. */
export class Accounts {
  constructor(
    private readonly app: App,
    private readonly deps: Deps,
  ) {}

  /** All of them, by name. */
  async list(caller: ActorUser): Promise<readonly AccountView[]> {
    const found = await this.#documents.findMany({ sort: "email", pagination: { limit: -1 } });
    const factors = await this.deps.secondFactors.kindsOfAll();
    const mayChange = await this.#within(caller);
    const views = found.map(stored).map(async (account): Promise<AccountView> => {
      const { documentId: id, name, email, role, isActive, lastSeenAt, createdAt } = account;
      const isMe = id === caller.documentId;
      return {
        ...{ id, name: name ?? email, email, role, isActive, lastSeenAt, createdAt, isMe },
        secondFactor: factors.get(id) ?? [],
        mayChange: !isMe && (await mayChange(role)),
      };
    });
    return (await Promise.all(views)).toSorted((a, b) => a.name.localeCompare(b.name));
  }

  /** The roles that there are, and which of them somebody may give. */
  async roleChoices(caller: ActorUser): Promise<readonly RoleChoice[]> {
    const within = await this.#within(caller);
    const names = await this.deps.roles.names();
    return Promise.all(names.map(async (name) => ({ name, mayGive: await within(name) })));
  }

  /**
   * Changes role or state of an account; its sessions end.
   *
   * @throws as `assertMayChange`, PLINTH_ADMIN_UNKNOWN_ROLE (404), PLINTH_ADMIN_LAST_SUPER (409)
   */
  async change(caller: ActorUser, id: string, { role, isActive }: AccountChanges): Promise<StoredAccount> {
    return await this.#changing(caller, id, async (account) => {
      if (role !== undefined) await this.assertMayGive(caller, role);
      const stays = (role ?? account.role) === SUPER && (isActive ?? account.isActive);
      if (!stays) await this.#assertSuperBeside(account);
      const data = {
        ...(role === undefined || role === account.role ? {} : { role }),
        ...(isActive === undefined || isActive === account.isActive ? {} : { isActive }),
      };
      if (Object.keys(data).length === 0) return account;
      return stored((await this.#documents.update({ documentId: id, data, withPrivate: true })) as Document);
    });
  }

  /**
   * Removes an account. What it wrote stays, and no longer says by whom.
   *
   * @throws as `assertMayChange`, PLINTH_ADMIN_LAST_SUPER (409)
   */
  async remove(caller: ActorUser, id: string): Promise<StoredAccount> {
    return await this.#changing(caller, id, async (account) => {
      await this.#assertSuperBeside(account);
      await this.#documents.delete({ documentId: id });
      return account;
    });
  }

  /** Takes the second factor of an account away. @throws as `assertMayChange` */
  async resetSecondFactor(caller: ActorUser, id: string): Promise<StoredAccount | undefined> {
    return await this.#changing(caller, id, async (account) =>
      (await this.deps.secondFactors.reset({ documentId: id })) ? account : undefined,
    );
  }

  /**
   * An account that somebody else may change.
   *
   * @throws PLINTH_HTTP_NOT_FOUND (404), PLINTH_ADMIN_OWN_ACCOUNT (409), PLINTH_ADMIN_GRANTS_MORE (403)
   */
  async assertMayChange(caller: ActorUser, id: string): Promise<StoredAccount> {
    const account = await this.find(id);
    if (id === caller.documentId) throw new OwnAccountError({});
    await this.assertMayGive(caller, account.role, false);
    return account;
  }

  /**
   * Whether somebody may give a role: it exists, and may do no more than theirs does now.
   *
   * @param mustExist - false: of an account whose role is gone, which may do nothing.
   * @throws PLINTH_ADMIN_UNKNOWN_ROLE (404), PLINTH_ADMIN_GRANTS_MORE (403)
   */
  async assertMayGive(caller: ActorUser, role: string, mustExist = true): Promise<void> {
    const known = await this.deps.roles.names();
    if (mustExist && !known.includes(role)) throw new UnknownRoleError({ role, known });
    const { roles } = this.deps;
    await roles.assertCovers(caller, await roles.grantOf(role), `The role "${role}"`);
  }

  /** @throws PLINTH_HTTP_NOT_FOUND (404) */
  async find(id: string): Promise<StoredAccount> {
    const found = await this.#documents.findOne({ documentId: id, withPrivate: true });
    if (!found) throw new NotFoundError({});
    return stored(found);
  }

  /** Changes one account at a time, so that two who leave at once do not each take the other for the one who stays. */
  async #changing<Result>(
    caller: ActorUser,
    id: string,
    change: (account: StoredAccount) => Promise<Result>,
  ): Promise<Result> {
    return await this.app.db.transaction(async () => {
      await this.app.db.lock(ROLES_LOCK);
      return await change(await this.assertMayChange(caller, id));
    });
  }

  /** @throws PLINTH_ADMIN_LAST_SUPER (409) */
  async #assertSuperBeside({ documentId, role, isActive }: StoredAccount): Promise<void> {
    if (role !== SUPER || !isActive) return;
    const filters = { role: SUPER, isActive: true, documentId: { $ne: documentId } };
    if (!(await this.#documents.findFirst({ filters }))) throw new LastSuperError({});
  }

  /** Returns for roles whether they may do no more than that of an account, as it is in the database: a session may know an older one. */
  async #within(caller: ActorUser): Promise<(role: string) => Promise<boolean>> {
    const { roles } = this.deps;
    const mine = await roles.grantOfAccount(caller);
    return async (role) => roles.covers(mine, await roles.grantOf(role));
  }

  get #documents() {
    return this.app.documents(ADMINISTRATOR_TYPE);
  }
}

const stored = (document: Document): StoredAccount => document as unknown as StoredAccount;

/** The plugin's own: routes ask it. */
export const accounts: ServiceRef<Accounts> = serviceRef<Accounts>("plugin::admin.accounts");

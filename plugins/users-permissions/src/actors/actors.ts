import type { Ability, Actor, App } from "@plinth/core";
import { createAbility, type Grant, mergeGrants } from "@plinth/core/access";
import { PERMISSION } from "../content-types/permission.js";
import { ROLE } from "../content-types/role.js";
import { USER } from "../content-types/user.js";
import type { Account } from "../contract.js";
import { PUBLIC } from "../roles/default-roles.js";
import { readAccount } from "../users/account.js";
import { InvalidatingCache } from "./invalidating-cache.js";

/** A user with the actor of their requests. */
export interface KnownUser {
  readonly account: Account;
  readonly actor: Actor;
}

/** The grants of a role, of code and database together. */
interface RoleAccess {
  readonly grant: Grant;
  /** For callers that are not users: made once, because most requests have no credentials. */
  readonly ability: Ability;
}

const NO_ACCESS = accessOf("none");

const CHANNEL = "users-permissions";
const EVERYTHING = "everything";
/** Of all users that are kept, in bytes; some 10,000 of them. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Of a cached user, beside the texts. */
const BYTES_PER_USER = 600;

/**
 * Users and their permissions, cached: a request costs no statement as long as nothing changes. A change invalidates
 * the cache at once in this process, and within moments in the others on this database; while their messages cannot
 * arrive, nothing is cached.
 */
export class Actors {
  readonly #app: App;
  readonly #users: InvalidatingCache<number, KnownUser | undefined>;
  readonly #grants: InvalidatingCache<"all", ReadonlyMap<string, RoleAccess>>;

  constructor(app: App) {
    this.#app = app;
    const isReliable = () => app.db.messages.isListening;
    this.#users = new InvalidatingCache({ limit: MAX_BYTES, sizeOf: bytesOf, isReliable });
    this.#grants = new InvalidatingCache({ limit: 1, isReliable });
    app.db.messages.subscribe(CHANNEL, {
      onMessage: (text) => (text === EVERYTHING ? this.#invalidateAll() : this.#users.invalidate(Number(text))),
      onLost: () => this.#invalidateAll(),
    });
  }

  /** A user by row id. */
  find(id: number): Promise<KnownUser | undefined> {
    return this.#users.get(id, async () => {
      const account = await readAccount(this.#app, { id });
      return account && { account, actor: await this.#actorOf(account) };
    });
  }

  async abilityOf({ id, documentId, role }: Account): Promise<Ability> {
    const { grant } = await this.#accessOf(role?.type);
    return createAbility(grant, { user: { id, documentId } });
  }

  publicAbility(): Promise<Ability> {
    return this.#accessOf(PUBLIC).then(({ ability }) => ability);
  }

  /** To be called in the transaction of the change. */
  async userChanged(id: number): Promise<void> {
    await this.#app.db.messages.publish(CHANNEL, String(id));
  }

  /** To be called in the transaction of the change. */
  async rolesChanged(): Promise<void> {
    await this.#app.db.messages.publish(CHANNEL, EVERYTHING);
  }

  #invalidateAll(): void {
    this.#users.clear();
    this.#grants.clear();
  }

  async #actorOf(account: Account): Promise<Actor> {
    const { id, documentId } = account;
    return { kind: "user", ability: await this.abilityOf(account), user: { id, documentId } };
  }

  #accessOf(type: string | undefined): Promise<RoleAccess> {
    if (type === undefined) return Promise.resolve(NO_ACCESS);
    return this.#grants.get("all", () => readAccess(this.#app)).then((roles) => roles.get(type) ?? NO_ACCESS);
  }
}

/** Texts are counted at two bytes a character. */
function bytesOf(user: KnownUser | undefined): number {
  const { username = "", email = "", provider = "" } = user?.account ?? {};
  return BYTES_PER_USER + 2 * (username.length + email.length + provider.length);
}

function accessOf(grant: Grant): RoleAccess {
  return { grant, ability: createAbility(grant) };
}

/** Every role by its type; where both grant one action, code wins. */
async function readAccess(app: App): Promise<ReadonlyMap<string, RoleAccess>> {
  const params = { fields: ["type"], populate: { permissions: { fields: ["action"] } } };
  const roles = await app.documents(ROLE).findMany(params);
  return new Map(
    roles.map((role) => {
      const type = String(role["type"]);
      const stored = (role["permissions"] as readonly { readonly action: string }[]).map(({ action }) => action);
      return [type, accessOf(mergeGrants(app.permissions.forRole(type) ?? "none", stored))];
    }),
  );
}

/** The types whose changes change permissions. */
export const WATCHED: ReadonlySet<string> = new Set([USER, ROLE, PERMISSION]);

import {
  type Ability,
  type Actor,
  type App,
  implement,
  type RegisterContext,
  type ServiceRef,
  serviceRef,
  type WriteEvent,
  writeHooks,
} from "@plinth/core";
import { createAbility, type Grant, mergeGrants, type Variables } from "@plinth/core/access";
import { LRUCache } from "lru-cache";
import { PERMISSION, ROLE, USER } from "../content-types.js";
import type { Account } from "../contract.js";
import { PUBLIC } from "../roles/default-roles.js";
import { readAccount } from "../users/users-service.js";

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
  #lastPublic: Ability | undefined;

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

  /** A user by document id, as they are now; undefined for one who may not sign in. */
  async recall(documentId: string): Promise<Actor | undefined> {
    const account = await readAccount(this.#app, { documentId });
    return account && !account.blocked ? await this.#actorOf(account) : undefined;
  }

  async abilityOf({ id, documentId, role }: Account): Promise<Ability> {
    const { grant } = await this.#accessOf(role?.type);
    return createAbility(grant, { user: { id, documentId }, now: () => this.#app.clock.now() });
  }

  /** Without a primary the one that was read last: nothing can have changed it. */
  async publicAbility(): Promise<Ability> {
    if (this.#lastPublic && this.#app.db.replicas?.isAlone) return this.#lastPublic;
    const { ability } = await this.#accessOf(PUBLIC);
    this.#lastPublic = ability;
    return ability;
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

function accessOf(grant: Grant, variables?: Variables): RoleAccess {
  return { grant, ability: createAbility(grant, variables) };
}

/** Every role by its type; where both grant one action, code wins. */
async function readAccess(app: App): Promise<ReadonlyMap<string, RoleAccess>> {
  const params = { fields: ["type"], populate: { permissions: { fields: ["action"] } } };
  const roles = await app.documents(ROLE).findMany(params);
  return new Map(
    roles.map((role) => {
      const type = String(role["type"]);
      const stored = (role["permissions"] as readonly { readonly action: string }[]).map(({ action }) => action);
      const grant = mergeGrants(app.permissions.forRole(type) ?? "none", stored);
      return [type, accessOf(grant, { now: () => app.clock.now() })];
    }),
  );
}

/** The types whose changes change permissions. */
export const WATCHED: ReadonlySet<string> = new Set([USER, ROLE, PERMISSION]);

/** The cached users and roles; of this plugin only. */
export const actors: ServiceRef<Actors> = serviceRef<Actors>("plugin::users-permissions.actors");

/** One per app. */
export const actorsImpl = implement(actors, { create: (_deps, { app }) => new Actors(app) });

/** Invalidates cached users and roles after every change of their documents. */
export function watchChanges({ app, on }: Pick<RegisterContext<object>, "app" | "on">): void {
  const tell = async (event: WriteEvent): Promise<void> => {
    if (event.uid === USER) await tellUser(app, event);
    else await app.service(actors).rolesChanged();
  };
  for (const hook of [writeHooks.create.after, writeHooks.update.after, writeHooks.delete.before])
    on(hook, tell, { about: [USER, ...WATCHED] });
}

/** Read from the row, because the result of the write has only what the writer may see. */
async function tellUser(app: App, { documentId }: WriteEvent): Promise<void> {
  const user = await app.documents(USER).findFirst({ filters: { documentId }, fields: ["id"] });
  if (user) await app.service(actors).userChanged(user.id);
}

/** Options of a cache. */
interface CacheOptions<Value> {
  /** Largest sum of sizes; the least recently used values are dropped first. */
  readonly limit: number;
  /** Size of a value; default: 1 each, so that `limit` is their number. */
  sizeOf?(value: Value): number;
  /** False while notifications of changes cannot arrive: nothing is kept then. */
  isReliable(): boolean;
}

/** In an object of its own, because the cache keeps no undefined. */
interface Kept<Value> {
  readonly value: Value;
}

/**
 * Keeps values that are expensive to read until they are invalidated. A value whose read had begun before the
 * invalidation is returned and not kept: it may be from before the change.
 */
export class InvalidatingCache<Key extends string | number, Value> {
  readonly #kept: LRUCache<Key, Kept<Value>, () => Promise<Value>>;
  readonly #options: CacheOptions<Value>;

  constructor(options: CacheOptions<Value>) {
    const { limit, sizeOf = () => 1 } = options;
    this.#options = options;
    this.#kept = new LRUCache({
      maxSize: limit,
      sizeCalculation: ({ value }) => sizeOf(value),
      fetchMethod: async (_key, _stale, { context }) => ({ value: await context() }),
      // Callers of a read that is invalidated meanwhile get what it reads.
      ignoreFetchAbort: true,
    });
  }

  /** The value of a key, read when it is not kept. A read that fails is not kept. */
  async get(key: Key, read: () => Promise<Value>): Promise<Value> {
    if (!this.#options.isReliable()) return read();
    const known = this.#kept.get(key);
    if (known) return known.value;
    const { value } = await this.#kept.forceFetch(key, { context: read });
    if (!this.#options.isReliable()) this.#kept.delete(key);
    return value;
  }

  invalidate(key: Key): void {
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }
}

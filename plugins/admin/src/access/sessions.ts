import {
  type ActorUser,
  type App,
  type Document,
  type ServiceRef,
  serviceRef,
  UnauthenticatedError,
} from "@plinth/core";
import type { AuthenticatedAdministrator } from "@plinth/plugin-api-tokens";
import type { AdminConfig } from "../config.js";
import { ADMINISTRATOR_TYPE } from "../content-types/administrator.js";
import { SESSION_TYPE } from "../content-types/session.js";
import type { SessionView } from "../wire/account.js";
import { CHANNEL, EVERY, type KnownSession, KnownSessions, type PowersOf } from "./known-sessions.js";
import { networkOf } from "./network.js";
import { withAdministrator } from "./with-administrator.js";
import { hashOf, newSecret, newSessionKey, type SessionKey } from "./session-key.js";

/** A session that was opened, or whose secret was replaced: what the cookie has to hold from now on. */
export interface IssuedKey {
  readonly key: SessionKey;
  /** When the cookie ends; undefined: when the browser is closed. */
  readonly expires: Date | undefined;
}

/** A session that was opened. */
export interface OpenedSession extends IssuedKey {
  /** documentId. */
  readonly id: string;
}

/** What a request with the key of a session gets. */
export interface Recognised {
  readonly session: KnownSession;
  /** The key that replaces the given one. */
  readonly renewed: IssuedKey | undefined;
}

/** A session to be opened. */
export interface NewSession {
  readonly user: AuthenticatedAdministrator;
  /** Whether it outlives the browser. */
  readonly stay: boolean;
  /** What the browser says it is. */
  readonly agent: string;
  /** Of the browser, as the server sees it. */
  readonly address?: string | undefined;
}

/** A session as its administrator sees it. */
export type OpenSession = Omit<SessionView, "isCurrent">;

/**
 * How long a secret is still good after the one that replaced it came, for requests that are on their way; in
 * milliseconds. Until then it stays good, because the answer that carries the new one can be lost.
 */
const GRACE = 30_000;
/** How often a use is written, in milliseconds. */
const USE_INTERVAL = 60_000;
const SECOND = 1000;
const AGENT_LENGTH = 400;

type Verdict = "current" | "last" | "old" | "over";

/** The sessions of administrators. Times of the configuration are in seconds. */
export class Sessions {
  readonly #known: KnownSessions;
  #leave: (() => void) | undefined;

  constructor(
    private readonly app: App,
    private readonly config: AdminConfig["sessions"],
    powersOf: PowersOf,
  ) {
    this.#known = new KnownSessions(app, powersOf);
  }

  /** Starts to listen to other processes. */
  listen(): void {
    this.#leave ??= this.#known.listen();
  }

  /** Stops that. */
  close(): void {
    this.#leave?.();
  }

  /**
   * Opens a session.
   *
   * @throws PLINTH_ACCESS_UNAUTHENTICATED (401) where all sessions were ended since its owner was authenticated, or the owner is deleted
   */
  async open({ user, stay, agent, address }: NewSession): Promise<OpenedSession> {
    const { app, config } = this;
    const key = newSessionKey();
    const now = new Date(this.app.clock.now());
    const endsAt = new Date(now.getTime() + (stay ? config.stay : config.life) * SECOND);
    // Where there are jobs, one of them does.
    if (!app.has("jobs")) await this.deleteEnded();
    const data = {
      ...{ handle: hashOf(key.handle), secret: hashOf(key.secret), secretSince: now.toISOString() },
      ...{ secretUsedAt: now.toISOString(), lastUsedAt: now.toISOString(), endsAt: endsAt.toISOString(), stays: stay },
      ...{ agent: agent.slice(0, AGENT_LENGTH), network: address ? networkOf(address) : null },
    };
    const { documentId: id } = await this.#create(user, data);
    await this.#noteSeen(user.id, now.getTime());
    return { id, key, expires: stay ? endsAt : undefined };
  }

  /** @throws PLINTH_ACCESS_UNAUTHENTICATED (401) */
  #create({ documentId, sessionVersion }: AuthenticatedAdministrator, values: object): Promise<Document> {
    const { app } = this;
    return withAdministrator(app, documentId, async () => {
      const administrator = await app.documents(ADMINISTRATOR_TYPE).findOne({ documentId, withPrivate: true });
      const accountVersion = administrator?.["sessionVersion"];
      if ((sessionVersion ?? accountVersion) !== accountVersion) throw new UnauthenticatedError({});
      return await app.documents(SESSION_TYPE).create({ data: { ...values, account: documentId, accountVersion } });
    });
  }

  /**
   * The session of a key; undefined where there is none, or it has ended. A secret that was replaced ends it.
   *
   * @param isUse - false: the page asks by itself, which keeps no session alive
   */
  async recognise({ handle, secret }: SessionKey, isUse = true): Promise<Recognised | undefined> {
    const found = await this.#look(hashOf(handle), hashOf(secret));
    if (!found) return undefined;
    const { session, verdict } = found;
    if (verdict === "old" || verdict === "over") {
      if (verdict === "old") this.#warn(session);
      await this.#end(session);
      return undefined;
    }
    if (!isUse) return { session, renewed: undefined };
    await this.#noteUse(session);
    if (verdict === "current" && session.secretUsedAt === undefined) await this.#noteFirstUse(session);
    else if (this.#isDue(session, verdict)) return { session, renewed: await this.#renew(session, handle) };
    return { session, renewed: undefined };
  }

  /**
   * An open session by the hash of its handle, for what was made in it. It is no use of the session. One whose administrator
   * has to make a second factor first is not open.
   */
  async findOpen(handle: string): Promise<KnownSession | undefined> {
    const isOpen = (session: KnownSession | undefined) =>
      session !== undefined && !session.mustSetUp && !this.#isOver(session);
    const remembered = await this.#known.find(handle);
    if (!remembered || isOpen(remembered)) return remembered;
    // Another process may know of a later use.
    const session = await this.#known.readAgain(handle);
    return isOpen(session) ? session : undefined;
  }

  /** Calls a listener when sessions, or what they may do, have changed. @returns what stops it */
  onChange(listener: () => void): () => void {
    return this.app.db.messages.subscribe(CHANNEL, { onMessage: listener, onLost: listener });
  }

  /** Those of an administrator, the latest first. */
  async list({ documentId }: ActorUser): Promise<readonly OpenSession[]> {
    const now = this.app.clock.now();
    const account = await this.app.documents(ADMINISTRATOR_TYPE).findOne({ documentId, withPrivate: true });
    const filters = {
      ...{ account: documentId, accountVersion: account?.["sessionVersion"] ?? 0 },
      endsAt: { $gt: new Date(now).toISOString() },
      lastUsedAt: { $gt: new Date(now - this.config.idle * SECOND).toISOString() },
    };
    const found = await this.app
      .documents(SESSION_TYPE)
      .findMany({ filters, sort: "id:desc", pagination: { limit: -1 } });
    return found.map((session) => {
      const { agent, network, createdAt, lastUsedAt } = session as unknown as OpenSession;
      return { id: session.documentId, agent, network, createdAt, lastUsedAt };
    });
  }

  /** Ends a session of an administrator. False where there is no such session. */
  async endOne({ documentId }: ActorUser, session: string): Promise<boolean> {
    const found = await this.app
      .documents(SESSION_TYPE)
      .findFirst({ filters: { documentId: session, account: documentId }, withPrivate: true });
    if (!found) return false;
    await this.#end({ documentId: found.documentId, handle: String(found["handle"]) });
    return true;
  }

  /**
   * Ends all of an administrator, bearers included, but one.
   *
   * @param kept - documentId of the session that goes on; undefined: none does
   * @returns how many there were
   */
  async endOthers({ documentId }: ActorUser, kept: string | undefined): Promise<number> {
    const { db, model } = this.app;
    const people = model.contentTypes.get(ADMINISTRATOR_TYPE)?.table;
    const ended = await db.transaction(async () => {
      const raise = `update "${people}" set session_version = session_version + 1 where document_id = $1 returning session_version`;
      const [row] = await db.query<{ session_version: number }>({ text: raise, values: [documentId] });
      const end = `delete from "${this.#table}" where account = $1 and document_id is distinct from $2 returning id`;
      const gone = await db.query({ text: end, values: [documentId, kept ?? null] });
      const keep = `update "${this.#table}" set account_version = $2 where account = $1`;
      await db.query({ text: keep, values: [documentId, row?.session_version ?? 0] });
      return gone.length;
    });
    await db.messages.publish(CHANNEL, EVERY);
    return ended;
  }

  /** Ends the session of a key, if there is one. @returns whose it was */
  async endByKey({ handle, secret }: SessionKey): Promise<ActorUser | undefined> {
    const found = await this.#look(hashOf(handle), hashOf(secret));
    if (found) await this.#end(found.session);
    return found?.session.account;
  }

  /** Deletes those that have ended: by a job, or where there are none, with each that is opened. */
  async deleteEnded(): Promise<void> {
    const now = this.app.clock.now();
    const times = [now, now - this.config.idle * SECOND].map((time) => new Date(time).toISOString());
    const text = `delete from "${this.#table}" where ends_at < $1 or last_used_at < $2`;
    await this.app.db.query({ text, values: times });
  }

  /** What is remembered may be older than a change by another process: a refusal is checked against the database. */
  async #look(handle: string, secret: string): Promise<{ session: KnownSession; verdict: Verdict } | undefined> {
    const remembered = await this.#known.find(handle);
    if (!remembered) return undefined;
    const verdict = this.#judge(remembered, secret);
    if (verdict === "current" || verdict === "last") return { session: remembered, verdict };
    const session = await this.#known.readAgain(handle);
    return session && { session, verdict: this.#judge(session, secret) };
  }

  #isOver({ lastUsedAt, endsAt }: KnownSession): boolean {
    const now = this.app.clock.now();
    return now >= endsAt || now >= lastUsedAt + this.config.idle * SECOND;
  }

  #judge(session: KnownSession, given: string): Verdict {
    const { secret, lastSecret, secretUsedAt } = session;
    const now = this.app.clock.now();
    if (this.#isOver(session)) return "over";
    if (given === secret) return "current";
    return given === lastSecret && now < (secretUsedAt ?? now) + GRACE ? "last" : "old";
  }

  async #noteUse(session: KnownSession): Promise<void> {
    const now = this.app.clock.now();
    if (now < session.lastUsedAt + USE_INTERVAL) return;
    session.lastUsedAt = now;
    const text = `update "${this.#table}" set last_used_at = greatest(last_used_at, $2) where id = $1`;
    await this.app.db.query({ text, values: [session.id, new Date(now).toISOString()] });
    await this.#noteSeen(session.account.id, now);
  }

  /** Past the documents: using an account does not change it. */
  async #noteSeen(account: number, now: number): Promise<void> {
    const table = this.app.model.contentTypes.get(ADMINISTRATOR_TYPE)?.table;
    const text = `update "${table}" set last_seen_at = greatest(last_seen_at, $2) where id = $1`;
    await this.app.db.query({ text, values: [account, new Date(now).toISOString()] });
  }

  /** From now on the secret before this one is good for GRACE only. */
  async #noteFirstUse(session: KnownSession): Promise<void> {
    session.secretUsedAt = this.app.clock.now();
    const text = `update "${this.#table}" set secret_used_at = $3
      where id = $1 and secret = $2 and secret_used_at is null returning id`;
    const values = [session.id, session.secret, new Date(session.secretUsedAt).toISOString()];
    const [noted] = await this.app.db.query({ text, values });
    if (noted) await this.app.db.messages.publish(CHANNEL, session.handle);
  }

  /** A secret that never came is replaced for requests with the one before: the answer that carried it was lost. */
  #isDue({ secretSince, secretUsedAt }: KnownSession, verdict: Verdict): boolean {
    const renewal = this.config.renewal * SECOND;
    if (verdict === "current") return this.app.clock.now() >= secretSince + renewal;
    return secretUsedAt === undefined && this.app.clock.now() >= secretSince + Math.max(renewal, GRACE);
  }

  async #renew(session: KnownSession, handle: string): Promise<IssuedKey | undefined> {
    const secret = newSecret();
    // One of several requests at the same time replaces the secret; the others go on with the one they have.
    const text = `update "${this.#table}" set secret = $3, secret_since = $4, secret_used_at = null,
      last_secret = case when secret_used_at is null then last_secret else secret end
      where id = $1 and secret = $2 and (secret_used_at is null) = $5 returning id`;
    const isUnused = session.secretUsedAt === undefined;
    const values = [session.id, session.secret, hashOf(secret), new Date(this.app.clock.now()).toISOString(), isUnused];
    const [replaced] = await this.app.db.query({ text, values });
    if (!replaced) return undefined;
    await this.app.db.messages.publish(CHANNEL, session.handle);
    return { key: { handle, secret }, expires: session.stays ? new Date(session.endsAt) : undefined };
  }

  async #end({ documentId, handle }: Pick<KnownSession, "documentId" | "handle">): Promise<void> {
    await this.app.documents(SESSION_TYPE).delete({ documentId });
    await this.app.db.messages.publish(CHANNEL, handle);
  }

  #warn({ account }: KnownSession): void {
    const message = "A session was ended, because a secret was used that had been replaced: its cookie may be stolen";
    this.app.log.warn({ account: account.documentId }, message);
  }

  get #table(): string {
    return String(this.app.model.contentTypes.get(SESSION_TYPE)?.table);
  }
}

/** The plugin's own: routes and the gate ask it. */
export const sessions: ServiceRef<Sessions> = serviceRef<Sessions>("plugin::admin.sessions");

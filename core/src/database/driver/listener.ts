import { randomUUID } from "node:crypto";
import pg from "pg";
import type { GuardedClient } from "./guarded-client.js";

/** What a listener tells. */
export interface Hearing {
  hear(payload: string): void;
  /** The connection is new, or gone: something may have been said in between. */
  missed(): void;
}

/** Hears one channel of a PostgreSQL server. */
export interface Listener {
  /** Connects, and connects again whenever that is lost; does nothing when it is open. */
  open(channel: string, hearing: Hearing): void;
  readonly isHearing: boolean;
  close(): Promise<void>;
}

/**
 * How long until the next try after a lost connection, between two proofs that it hears, and for one of them, in
 * milliseconds.
 */
const RETRY = 500;
const HEARTBEAT = 3_000;
const PATIENCE = 3_000;

/**
 * A listener with a connection of its own, because one of the pool is handed to others. It counts as hearing only while
 * it hears itself: a network that swallows everything, and a pooler that passes no notifications on, look fine otherwise.
 *
 * @param connect - a client that is not connected yet.
 * @param lost - told when a connection stopped to hear: others to the same server may be gone as well.
 */
export class PostgresListener implements Listener {
  readonly #connect: () => GuardedClient;
  /** A channel that nobody else speaks on. */
  readonly #ownChannel = `plinth_${randomUUID()}`;
  #client: GuardedClient | undefined;
  #opened: { readonly channel: string; readonly hearing: Hearing } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isHearing = false;
  #isClosed = false;
  #connecting: Promise<void> = Promise.resolve();
  #dropped: Promise<void> = Promise.resolve();
  #endProof: (hasHeard: boolean) => void = () => undefined;

  constructor(
    connect: () => GuardedClient,
    private readonly lost: () => void = () => undefined,
  ) {
    this.#connect = connect;
  }

  get isHearing(): boolean {
    return this.#isHearing;
  }

  open(channel: string, hearing: Hearing): void {
    if (this.#opened || this.#isClosed) return;
    this.#opened = { channel, hearing };
    this.#connecting = this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#endProof(false);
    await this.#connecting;
    await this.#dropped;
    this.#isHearing = false;
    await this.#drop();
  }

  async #start(): Promise<void> {
    const opened = this.#opened;
    if (!opened || this.#isClosed) return;
    const client = this.#connect();
    this.#client = client;
    client.on("error", () => this.#lose(client));
    client.on("end", () => this.#lose(client));
    client.on("notification", ({ channel, payload }) => {
      if (channel === this.#ownChannel) this.#endProof(true);
      // A pooler may hand us a session that still listens to the channels of another process.
      else if (channel === opened.channel) opened.hearing.hear(payload ?? "");
    });
    try {
      await client.connect();
      for (const channel of [opened.channel, this.#ownChannel])
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch {
      // Not hearing is a state that callers ask for, and the pool reports a database that is away.
      this.#lose(client);
      return;
    }
    if (!(await this.#prove(client))) return;
    opened.hearing.missed();
    this.#isHearing = true;
  }

  /** Speaks to itself, now and again; a connection that does not hear that is lost. */
  async #prove(client: GuardedClient): Promise<boolean> {
    const hasHeard = await new Promise<boolean>((resolve) => {
      const limit = setTimeout(() => resolve(false), PATIENCE).unref();
      this.#endProof = (heard) => {
        clearTimeout(limit);
        resolve(heard);
      };
      client.query("select pg_notify($1, '')", [this.#ownChannel]).catch(() => resolve(false));
    });
    if (!hasHeard) this.#lose(client);
    if (this.#client !== client) return false;
    this.#timer = setTimeout(() => void this.#prove(client), HEARTBEAT).unref();
    return true;
  }

  /** Says once that this connection is lost, and tries again soon. */
  #lose(client: GuardedClient): void {
    if (this.#client !== client) return;
    this.#isHearing = false;
    this.#endProof(false);
    this.lost();
    this.#opened?.hearing.missed();
    this.#dropped = this.#drop();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#connecting = this.#start();
    }, RETRY).unref();
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    clearTimeout(this.#timer);
    await client?.leave();
  }
}

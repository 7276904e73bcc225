import { randomUUID } from "node:crypto";
import pg from "pg";
import type { GuardedClient } from "./guarded-client.js";

/** Receives the messages of one channel. */
export interface Subscriber {
  onMessage(text: string): void;
  /** Messages of other processes may have been lost: drop what was cached. */
  onLost(): void;
}

/** Short messages between all processes that share a database, such as invalidations of caches. */
export interface Messages {
  /**
   * Sends to every process, this one included. In a transaction it is delivered after the commit, and not after a
   * rollback.
   *
   * @param text - at most some thousand bytes, and nothing secret.
   */
  publish(channel: string, text: string): Promise<void>;
  /** Subscribes to a channel until the returned function is called. */
  subscribe(channel: string, subscriber: Subscriber): () => void;
  /**
   * Makes every subscriber of this process drop its cache: for code that changes rows past the documents, such as a
   * restore.
   */
  invalidateAll(): void;
  /** False while messages of other processes cannot arrive: do not use caches of what they may change then. */
  readonly isListening: boolean;
}

/** The PostgreSQL channel that carries all of ours. */
const CHANNEL = "plinth";

/** What messages need of a database. */
interface Sender {
  query(statement: { readonly text: string; readonly values: readonly unknown[] }): Promise<unknown>;
  afterCommit(task: () => void): void;
}

interface Envelope {
  readonly from: string;
  readonly channel: string;
  readonly text: string;
}

/**
 * Makes the messages of a database. A process receives its own at once, without the round trip.
 *
 * @param listener - receives those of other processes; undefined where there are none, as with PGlite.
 */
export function createMessages(db: Sender, listener: Listener | undefined): Messages {
  const own = randomUUID();
  const subscribers = new Map<string, Set<Subscriber>>();
  const deliver = (channel: string, text: string): void => {
    for (const subscriber of subscribers.get(channel) ?? []) subscriber.onMessage(text);
  };
  const onLost = (): void => {
    for (const ofChannel of subscribers.values()) for (const subscriber of ofChannel) subscriber.onLost();
  };
  const onNotification = (payload: string): void => {
    const envelope = parseEnvelope(payload);
    // Its sender may have changed something.
    if (envelope === undefined) onLost();
    else if (envelope.from !== own) deliver(envelope.channel, envelope.text);
  };
  return {
    publish: async (channel, text) => {
      const envelope: Envelope = { from: own, channel, text };
      if (listener) await db.query({ text: "select pg_notify($1, $2)", values: [CHANNEL, JSON.stringify(envelope)] });
      db.afterCommit(() => deliver(channel, text));
    },
    subscribe: (channel, subscriber) => {
      listener?.open(CHANNEL, { onNotification, onLost });
      const ofChannel = subscribers.get(channel) ?? new Set();
      subscribers.set(channel, ofChannel.add(subscriber));
      return () => void ofChannel.delete(subscriber);
    },
    invalidateAll: onLost,
    get isListening() {
      return listener?.isListening ?? true;
    },
  };
}

/** The message of another process; undefined when it is not one of ours: any client may notify a channel. */
function parseEnvelope(payload: string): Envelope | undefined {
  try {
    const { from, channel, text } = Object(JSON.parse(payload)) as Partial<Record<keyof Envelope, unknown>>;
    const isWhole = typeof from === "string" && typeof channel === "string" && typeof text === "string";
    return isWhole ? { from, channel, text } : undefined;
  } catch {
    return undefined;
  }
}

/** Receives the notifications of a channel. */
interface NotificationHandler {
  onNotification(payload: string): void;
  /** The connection was lost, or is new: notifications may have been lost in between. */
  onLost(): void;
}

/** Listens to one channel of a PostgreSQL server. */
export interface Listener {
  /** Connects, and reconnects after a lost connection; does nothing when it is open. */
  open(channel: string, handler: NotificationHandler): void;
  readonly isListening: boolean;
  close(): Promise<void>;
}

/** In milliseconds. */
const RECONNECT_DELAY = 500;
const HEARTBEAT_INTERVAL = 3_000;
const HEARTBEAT_TIMEOUT = 3_000;

/** What a listener works with. */
export interface ListenerParts {
  /** A client for its own connection, not connected yet. */
  readonly connect: () => GuardedClient;
  /** A connection of the pool, which `release` gives back. @throws where none becomes free in time */
  readonly acquire: () => Promise<GuardedClient>;
  readonly release: (connection: GuardedClient) => void;
  /** Called when its connection was lost: others to the same server may be lost as well. */
  readonly lost?: () => void;
}

/**
 * A listener with a connection of its own, because those of the pool are shared. It is listening only while it receives
 * heartbeats that a connection of the pool sends: a dead network, or a pooler that drops notifications, raises no error.
 * Sent over its own connection they would arrive even where nothing of others does, because a pooler that hands out
 * sessions by transaction gives both statements the same one.
 */
export class PostgresListener implements Listener {
  /** For heartbeats. */
  readonly #ownChannel = `plinth_${randomUUID()}`;
  #client: GuardedClient | undefined;
  #opened: { readonly channel: string; readonly handler: NotificationHandler } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isListening = false;
  #isClosed = false;
  #connecting: Promise<void> = Promise.resolve();
  #dropped: Promise<void> = Promise.resolve();
  #endHeartbeat: (isReceived: boolean) => void = () => undefined;

  constructor(private readonly parts: ListenerParts) {}

  get isListening(): boolean {
    return this.#isListening;
  }

  open(channel: string, handler: NotificationHandler): void {
    if (this.#opened || this.#isClosed) return;
    this.#opened = { channel, handler };
    this.#connecting = this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#endHeartbeat(false);
    // One that is being opened may wait for a server that answers nothing.
    if (!this.#isListening) this.#client?.destroy(new Error("Connection terminated: the listener was closed"));
    await this.#connecting;
    await this.#dropped;
    this.#isListening = false;
    await this.#drop();
  }

  async #start(): Promise<void> {
    const opened = this.#opened;
    if (!opened || this.#isClosed) return;
    const client = this.parts.connect();
    this.#client = client;
    client.on("error", () => this.#onDisconnect(client));
    client.on("end", () => this.#onDisconnect(client));
    client.on("notification", ({ channel, payload }) => {
      if (channel === this.#ownChannel) this.#endHeartbeat(true);
      // A pooler may hand us a session that still listens to the channels of another process.
      else if (channel === opened.channel) opened.handler.onNotification(payload ?? "");
    });
    try {
      await client.connect();
      if (this.#isClosed) return this.#onDisconnect(client);
      for (const channel of [opened.channel, this.#ownChannel])
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch {
      // Callers read isListening, and the pool reports a database that is down.
      this.#onDisconnect(client);
      return;
    }
    if (!(await this.#verify(client))) return;
    opened.handler.onLost();
    this.#isListening = true;
  }

  /** Sends a heartbeat at intervals; a connection that does not receive it is lost. */
  async #verify(client: GuardedClient): Promise<boolean> {
    const isReceived = await new Promise<boolean>((resolve) => {
      this.#endHeartbeat = resolve;
      void this.#beat(client, resolve);
    });
    if (!isReceived) this.#onDisconnect(client);
    if (this.#client !== client) return false;
    this.#timer = setTimeout(() => void this.#verify(client), HEARTBEAT_INTERVAL).unref();
    return true;
  }

  /** A pool without a free connection says nothing of the listener, which then shows that its own connection lives. */
  async #beat(client: GuardedClient, end: (isReceived: boolean) => void): Promise<void> {
    const sender = await this.parts.acquire().catch((error: Error) => error);
    if (sender instanceof Error) {
      const isBusy = this.#isListening && sender.name === "KnexTimeoutError";
      if (isBusy) void this.#send(client, end);
      else end(false);
      return;
    }
    await this.#send(sender, end);
    this.parts.release(sender);
  }

  async #send(sender: GuardedClient, end: (isReceived: boolean) => void): Promise<void> {
    const limit = setTimeout(() => {
      end(false);
      if (!hasAnswered) sender.destroy(new Error("Connection terminated: a heartbeat was not answered"));
    }, HEARTBEAT_TIMEOUT).unref();
    let hasAnswered = false;
    this.#endHeartbeat = (isReceived) => {
      clearTimeout(limit);
      end(isReceived);
    };
    try {
      await sender.query("select pg_notify($1, '')", [this.#ownChannel]);
    } catch {
      // Callers read isListening.
      this.#endHeartbeat(false);
    }
    hasAnswered = true;
  }

  /** Reports once that this connection is lost, and reconnects soon. */
  #onDisconnect(client: GuardedClient): void {
    if (this.#client !== client) return;
    this.#isListening = false;
    this.#endHeartbeat(false);
    this.parts.lost?.();
    this.#opened?.handler.onLost();
    this.#dropped = this.#drop();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#connecting = this.#start();
    }, RECONNECT_DELAY).unref();
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    clearTimeout(this.#timer);
    await client?.leave();
  }
}

import { randomUUID } from "node:crypto";
import type { Listener } from "./listener.js";

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

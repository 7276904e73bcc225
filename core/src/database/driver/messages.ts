import { randomUUID } from "node:crypto";
import type { Listener } from "./listener.js";

/** Who hears messages of one channel. */
export interface Subscriber {
  message(text: string): void;
  /** Messages of other processes may have been lost: forget what they would have told. */
  missed(): void;
}

/** Short messages between all processes that share a database; what is cached in one can be forgotten in all. */
export interface Messages {
  /**
   * Tells every process, this one included. In a transaction it is heard after the commit and not after a rollback.
   *
   * @param text - at most some thousand bytes, and nothing secret.
   */
  publish(channel: string, text: string): Promise<void>;
  /** Hears a channel until the returned function is called. */
  subscribe(channel: string, subscriber: Subscriber): () => void;
  /** Lets every subscriber of this process forget: for whoever changes rows past the documents, such as a restore. */
  forgetAll(): void;
  /** False while other processes cannot be heard: then nothing that they may change should be taken from a cache. */
  readonly isHearing: boolean;
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
 * Makes the messages of a database. A process hears itself at once, without the round trip.
 *
 * @param listener - hears other processes; none where there are none, as with PGlite.
 */
export function createMessages(db: Sender, listener: Listener | undefined): Messages {
  const own = randomUUID();
  const subscribers = new Map<string, Set<Subscriber>>();
  const deliver = (channel: string, text: string): void => {
    for (const subscriber of subscribers.get(channel) ?? []) subscriber.message(text);
  };
  const missed = (): void => {
    for (const heard of subscribers.values()) for (const subscriber of heard) subscriber.missed();
  };
  const hear = (payload: string): void => {
    const envelope = parseEnvelope(payload);
    // Whoever said what nobody understands may have changed something.
    if (envelope === undefined) missed();
    else if (envelope.from !== own) deliver(envelope.channel, envelope.text);
  };
  return {
    publish: async (channel, text) => {
      const envelope: Envelope = { from: own, channel, text };
      if (listener) await db.query({ text: "select pg_notify($1, $2)", values: [CHANNEL, JSON.stringify(envelope)] });
      db.afterCommit(() => deliver(channel, text));
    },
    subscribe: (channel, subscriber) => {
      listener?.open(CHANNEL, { hear, missed });
      const heard = subscribers.get(channel) ?? new Set();
      subscribers.set(channel, heard.add(subscriber));
      return () => void heard.delete(subscriber);
    },
    forgetAll: missed,
    get isHearing() {
      return listener?.isHearing ?? true;
    },
  };
}

/** What another process said; undefined when it is not one of ours: everybody may speak on a channel. */
function parseEnvelope(payload: string): Envelope | undefined {
  try {
    const { from, channel, text } = Object(JSON.parse(payload)) as Partial<Record<keyof Envelope, unknown>>;
    const isWhole = typeof from === "string" && typeof channel === "string" && typeof text === "string";
    return isWhole ? { from, channel, text } : undefined;
  } catch {
    return undefined;
  }
}

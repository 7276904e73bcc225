import { type Document, type ServiceRef, serviceRef, type WriteOrigin } from "@plinth/core";

/** Something that happened, and was committed. */
export interface Event {
  /** Its place among all events: greater than that of every event before it. */
  readonly id: number;
  /** Such as `entry.publish`; see the README. */
  readonly type: string;
  /** ISO 8601, by the clock of the database, when it was written: before the commit. */
  readonly at: string;
  /** Of the content-type; null where it is about none. */
  readonly uid: string | null;
  readonly documentId: string | null;
  /** The locales of the document that it is about; none on types that are not localised. */
  readonly locales: readonly string[];
  /** Who did it, over which transport. */
  readonly origin: WriteOrigin;
  /** What `publish` was given; of a delete `{ wasPublished, publishedLocales? }`, the locales on localised types. */
  readonly data?: unknown;
  /**
   * The document in each of these locales, as the public form of a read shows it: without private attributes, with
   * components and media, without other relations. The draft, where the event is not `publish`; before a delete. Only of types that
   * somebody keeps the content of; an import has none.
   */
  readonly entries?: readonly Document[];
}

/** What an event is about. */
export interface EventSubject {
  /** Of a content-type. Default: none. */
  readonly uid?: string;
  readonly documentId?: string;
  readonly locales?: readonly string[];
  /** Who does it. Default: the request or command that runs; see `currentOrigin`. */
  readonly origin?: WriteOrigin;
}

/** Which events somebody wants. */
export interface EventFilter {
  /** Types, `entry.publish`; parts of them, `entry.*`; `*` is every one. Default: every one. */
  readonly types?: readonly string[];
  /** Of these content-types. Default: of all, and of none. */
  readonly uids?: readonly string[];
}

/** Events in their order, and how far a reader has come. */
export interface EventPage {
  readonly events: readonly Event[];
  /** From where to read on: all up to it has been read, also of types that were not asked for. */
  readonly place: number;
}

/** How a consumer gets its events. */
export interface ConsumeOptions extends EventFilter {
  /** Events at once, at most: 1 to 1,000. Default: 100. */
  readonly batch?: number;
  /**
   * False: up to four batches are handled at the same time, so those of one document may overtake each other. Default: one after
   * the other, in order.
   */
  readonly ordered?: boolean;
  /**
   * Called where events were deleted unread because they are older than the retention; the consumer goes on with the oldest that is
   * kept. Default: it stands still, and says so in the log each minute, until `plinth events skip <consumer>`.
   */
  readonly onGap?: (gap: EventGap) => void | Promise<void>;
}

/** Events that a consumer has missed. */
export interface EventGap {
  /** The last that it has handled. */
  readonly after: number;
  /** The last that was deleted. */
  readonly upTo: number;
}

/** What a handler of events works with. */
export interface HandlerContext {
  /** Aborted when the app stops, or another process takes over: what is not done comes again. */
  readonly signal: AbortSignal;
}

/** Handles some events. One that throws gets the same events again, and after a while, until it succeeds. */
export type EventHandler = (events: readonly Event[], context: HandlerContext) => void | Promise<void>;

/** A consumer in this process. */
export interface Consumer {
  readonly name: string;
  /**
   * Ends when its place is known: from then on it misses nothing. That of a new one is known when the transactions have ended that
   * were under way. @throws PLINTH_DATABASE_*
   */
  readonly ready: Promise<void>;
  /** Ends when its handler has, or the app. Its place is kept. */
  stop(): Promise<void>;
}

/** A consumer of any process, as the database knows it. */
export interface ConsumerState {
  readonly name: string;
  /** All up to this event has been handled. */
  readonly place: number;
  /** Events after that, of all types. */
  readonly behind: number;
  /** ISO 8601: when it last came further. */
  readonly at: string;
}

/** What happened to content and elsewhere, in order, for code of the app and of plugins. */
export interface Events {
  /**
   * Writes an event in the transaction of the caller: it is there exactly when that commits. It takes no round trip there;
   * outside of a transaction it is written at once.
   *
   * @param type - of your own: `shop.order-paid`.
   * @param data - what JSON can hold; nothing secret.
   * @throws PLINTH_EVENTS_TYPE_INVALID, PLINTH_EVENTS_DATA_INVALID (400)
   */
  publish(type: string, subject?: EventSubject, data?: unknown): Promise<void>;
  /**
   * Handles events from now on, and from where it was after a restart: each at least once, in one process at a time,
   * whichever it is of those that take requests or work; a process of a command handles none. From bootstrap on; ends with the app.
   *
   * @param name - of its place in the database: `search-index`. A new one begins with what comes.
   * @throws PLINTH_EVENTS_CONSUMER_TWICE, PLINTH_EVENTS_BATCH_INVALID (500), PLINTH_EVENTS_TYPE_INVALID (400)
   */
  consume(name: string, options: ConsumeOptions, handler: EventHandler): Consumer;
  /**
   * Reads events after a place: those whose order cannot change any more.
   *
   * @param limit - 1 to 1,000. Default: 100.
   * @throws PLINTH_EVENTS_PAST_RETENTION (410) where some of them were deleted, PLINTH_EVENTS_TYPE_INVALID (400)
   */
  read(after: number, filter?: EventFilter, limit?: number): Promise<EventPage>;
  /** The place from which only what is new comes. @throws PLINTH_EVENTS_NOT_SETTLED (503) while that is not known */
  latest(): Promise<number>;
  /** The greatest id that an event has taken: what is written after this call has a greater one. */
  taken(): Promise<number>;
  /** Calls back when events may have come, in this process or another; at most every 50 ms. @returns ends it */
  onWake(listener: () => void): () => void;
  /** Has events of some content-types keep their content, as `entries`, when they are written by this process. @returns ends it */
  keepEntriesOf(uids: Iterable<string>): () => void;
  /** All consumers that have a place. */
  consumers(): Promise<readonly ConsumerState[]>;
  /**
   * Lets a consumer go on with what comes, also one that runs: what it has not handled is left out.
   *
   * @throws PLINTH_EVENTS_CONSUMER_UNKNOWN (404), PLINTH_EVENTS_NOT_SETTLED (503)
   */
  skip(name: string): Promise<void>;
}

/** The service behind events. */
export const events: ServiceRef<Events> = serviceRef<Events>("plugin::events.events");

declare module "@plinth/core" {
  interface Services {
    "plugin::events.events": Events;
  }
}

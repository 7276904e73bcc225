import { setTimeout as sleep } from "node:timers/promises";
import { type App, implement, type ServiceRef, serviceRef } from "@plinth/core";
import type { HealthCheck } from "@plinth/core/http";
import { type Settled, SettledIds } from "@plinth/core/reads";
import { Backlog } from "./backlog.js";
import { RunningConsumer } from "./consumer.js";
import { type ConsumerState, type EventFilter, type EventPage, type Events, events } from "./contract.js";
import { ConsumerTwiceError, InvalidBatchError, NotSettledError, PastRetentionError } from "./errors.js";
import { assertType, typePatterns } from "./event-types.js";
import { type Outbox, writingOf } from "./outbox.js";
import { Places } from "./places.js";
import { type EventRange, type ReadEvents, readEvents } from "./read-events.js";
import { ReplicaWait } from "./replica-wait.js";
import { FLOOR, SEQUENCE } from "./tables.js";
import type { Wake } from "./wake.js";

const MOST_READ = 1_000;
/** Milliseconds between two looks at whether transactions have ended; the first, and the longest. */
const SETTLING = 20;
const MOST_SETTLING = 500;
/** Milliseconds to wait for them. */
const PATIENCE = 5_000;

/** How far events are known. */
export interface SettledEvents extends Omit<Settled, "beside"> {
  /** The greatest id that was deleted. */
  readonly floor: number;
}

/** What the plugin itself does with events. */
export interface OwnEvents extends Events {
  /** Says which consumers stand still, and why. */
  readonly health: HealthCheck;
  /** How far events are settled now. */
  settled(): Promise<SettledEvents>;
  /**
   * The place from which only what is new comes; undefined where it is not known: a process that has just begun knows none
   * before the transactions have ended that ran then.
   *
   * @param signal - default: until the app stops. @throws what it is aborted with
   */
  newest(signal?: AbortSignal): Promise<number | undefined>;
  /** Reads events that are settled, once the replicas have what they are about. */
  between(range: EventRange, filter?: EventFilter): Promise<ReadEvents>;
  /** Begins to report what consumers have before them. */
  open(): void;
  /** The process is there to work: its consumers are handed events from now on. */
  begin(): void;
  /** Begins nothing more, and waits for handlers; after the time limit, in milliseconds, what they have comes again. */
  end(timeout: number): Promise<void>;
  /** Ends all consumers of this process. */
  close(): Promise<void>;
}

/** The same service, as the plugin sees it. */
export const ownEvents: ServiceRef<OwnEvents> = serviceRef<OwnEvents>("plugin::events.own");

/** The service behind `ownEvents`. */
export const ownEventsImpl = implement(ownEvents, {
  create: (_deps, { app }) => {
    const { outbox, wake } = writingOf(app);
    return new EventsService(app, outbox, wake);
  },
});

/** The service behind `events`. */
export const eventsImpl = implement(events, { deps: { own: ownEvents }, create: ({ own }) => own });

class EventsService implements OwnEvents {
  readonly health: HealthCheck = { name: "events", run: () => this.#check() };
  readonly #consumers = new Map<string, RunningConsumer>();
  readonly #backlog: Backlog;
  readonly #closing = new AbortController();
  /** Whether consumers are handed events: not in a process of a command, which may look at a copy of production. */
  #isOnDuty = false;
  /** Made with the database. */
  #reading: { readonly ids: SettledIds; readonly places: Places; readonly wait: ReplicaWait } | undefined;

  constructor(
    private readonly app: App,
    private readonly outbox: Outbox,
    private readonly wake: Wake,
  ) {
    this.#backlog = new Backlog(app, () => new Map([...this.#consumers].map(([name, { options }]) => [name, options])));
  }

  readonly publish: Events["publish"] = async (type, subject = {}, data) => {
    assertType(type);
    const { db } = this.app;
    const statement = this.outbox.published(type, subject, data);
    if (db.isInTransaction) db.defer(statement);
    else await db.query(statement);
    db.afterCommit(() => this.wake.send());
  };

  readonly consume: Events["consume"] = (name, options, handler) => {
    typePatterns(options.types);
    const { batch = 1 } = options;
    if (!Number.isInteger(batch) || batch < 1 || batch > MOST_READ)
      throw new InvalidBatchError({ consumer: name, batch, most: MOST_READ });
    if (this.#consumers.has(name)) throw new ConsumerTwiceError({ consumer: name });
    const parts = {
      app: this.app,
      places: this.#parts.places,
      read: (after: number, limit: number) => this.#read(after, options, limit),
      beginning: (signal: AbortSignal) => this.#beginningOf(name, signal),
      onWake: this.onWake,
    };
    const consumer = new RunningConsumer(name, parts, options, handler);
    this.#consumers.set(name, consumer);
    if (this.#isOnDuty) consumer.start();
    return {
      ...{ name, ready: consumer.ready },
      stop: async () => {
        await consumer.end();
        if (this.#consumers.get(name) === consumer) this.#consumers.delete(name);
      },
    };
  };

  readonly read: Events["read"] = async (after, filter = {}, limit = 100) => {
    const { events: found, place } = await this.#read(after, filter, Math.min(Math.max(1, limit), MOST_READ));
    return { events: found, place };
  };

  readonly latest: Events["latest"] = async () => {
    const place = await this.newest();
    if (place === undefined) throw new NotSettledError({ seconds: PATIENCE / 1_000 });
    return place;
  };

  readonly taken: Events["taken"] = async () => (await this.settled()).taken;

  readonly newest: OwnEvents["newest"] = (signal = this.#closing.signal) => this.#newest(signal, PATIENCE);

  readonly settled: OwnEvents["settled"] = async () => {
    const { beside: floor, ...known } = await this.#parts.ids.ask();
    return { ...known, floor };
  };

  readonly between: OwnEvents["between"] = async (range, filter = {}) => {
    const { db } = this.app;
    const found = await readEvents(db, range, filter);
    const last = found.events.at(-1);
    if (last && db.replicas) await this.#parts.wait.until(last.id, range.upTo);
    return found;
  };

  readonly onWake: Events["onWake"] = (listener) => this.wake.listen(listener);

  readonly keepEntriesOf: Events["keepEntriesOf"] = (uids) => this.outbox.keepEntriesOf([...uids]);

  async consumers(): Promise<readonly ConsumerState[]> {
    return await this.#parts.places.list(await this.taken());
  }

  readonly skip: Events["skip"] = async (name) => {
    const { places } = this.#parts;
    await places.assertKnown(name);
    await places.keep(name, await this.latest());
  };

  open(): void {
    this.#backlog.open();
  }

  begin(): void {
    this.#isOnDuty = true;
    for (const consumer of this.#consumers.values()) consumer.start();
  }

  async end(timeout: number): Promise<void> {
    this.#isOnDuty = false;
    await Promise.all([...this.#consumers.values()].map((consumer) => consumer.stop(timeout)));
  }

  async close(): Promise<void> {
    this.#backlog.close();
    this.#closing.abort();
    await Promise.all([...this.#consumers.values()].map((consumer) => consumer.end(0)));
    this.#consumers.clear();
  }

  get #parts() {
    const { db } = this.app;
    if (this.#reading) return this.#reading;
    const ids = new SettledIds(db, SEQUENCE, { beside: `select max(id) from ${FLOOR}` });
    const wait = new ReplicaWait(db);
    this.wake.whenLeft(() => {
      ids.forget();
      wait.forget();
    });
    this.#reading = { ids, wait, places: new Places(db) };
    return this.#reading;
  }

  /** @param patience - milliseconds until it is undefined. */
  async #newest(signal: AbortSignal, patience: number): Promise<number | undefined> {
    const end = performance.now() + patience;
    // What is written from now on is new, also where it is settled by the time that the rest is.
    let taken: number | undefined;
    for (let pause = SETTLING; performance.now() < end; pause = Math.min(pause * 2, MOST_SETTLING)) {
      const known = await this.settled();
      taken ??= known.taken;
      if (known.id > 0 || !known.isWaiting) return Math.min(known.id, taken);
      await sleep(pause, undefined, { signal, ref: false });
    }
    return undefined;
  }

  /** However long it takes: any other place would hand a new consumer what is old, or miss what is new. */
  async #beginningOf(consumer: string, signal: AbortSignal): Promise<number> {
    const text = `The consumer "${consumer}" of events is new, and waits for transactions to end that were under way when it came; "plinth doctor" shows old ones`;
    const late = setTimeout(() => this.app.log.warn({ consumer }, text), PATIENCE).unref();
    try {
      return (await this.#newest(signal, Number.POSITIVE_INFINITY)) as number;
    } finally {
      clearTimeout(late);
    }
  }

  async #read(after: number, filter: EventFilter, limit: number): Promise<EventPage & { readonly isWaiting: boolean }> {
    const { id, floor, isWaiting } = await this.settled();
    const found = await this.between({ after, upTo: id, limit }, filter);
    const oldest = Math.max(floor, found.floor);
    if (after < oldest) throw new PastRetentionError({ after, oldest });
    return { events: found.events, place: found.place, isWaiting };
  }

  #check() {
    const faults = [...this.#consumers.values()].flatMap(({ name, trouble }) =>
      trouble === undefined ? [] : [[name, trouble]],
    );
    const status = faults.length > 0 ? ("degraded" as const) : ("ok" as const);
    return {
      status,
      consumers: this.#consumers.size,
      ...(faults.length > 0 ? { failing: Object.fromEntries(faults) } : {}),
    };
  }
}

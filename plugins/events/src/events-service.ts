import { setTimeout as sleep } from "node:timers/promises";
import { type App, implement, type ServiceRef, serviceRef } from "@plinth/core";
import type { HealthCheck } from "@plinth/core/http";
import { RunningConsumer } from "./consumer.js";
import { type ConsumerState, type EventFilter, type EventPage, type Events, events } from "./contract.js";
import { ConsumerTwiceError, PastRetentionError } from "./errors.js";
import { assertType, typePatterns } from "./event-types.js";
import { Horizon } from "./horizon.js";
import { type Outbox, writingOf } from "./outbox.js";
import { Places } from "./places.js";
import { readEvents } from "./read-events.js";
import type { Wake } from "./wake.js";

const MOST_READ = 1_000;
/** Milliseconds between two looks while nothing is settled. */
const SETTLING = 20;
const MOST_SETTLING = 5_000;

/** What the plugin itself does with events. */
export interface OwnEvents extends Events {
  /** Says which consumers stand still, and why. */
  readonly health: HealthCheck;
  /** Stops all consumers of this process. */
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
  /** Made with the database. */
  #reading: { readonly horizon: Horizon; readonly places: Places } | undefined;

  constructor(
    private readonly app: App,
    private readonly outbox: Outbox,
    private readonly wake: Wake,
  ) {}

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
    if (this.#consumers.has(name)) throw new ConsumerTwiceError({ consumer: name });
    const parts = {
      app: this.app,
      places: this.#parts.places,
      read: (after: number, limit: number) => this.#read(after, options, limit),
      latest: this.latest,
      onWake: this.onWake,
    };
    const consumer = new RunningConsumer(name, parts, options, handler);
    this.#consumers.set(name, consumer);
    return {
      ...{ name, ready: consumer.ready },
      stop: async () => {
        await consumer.stop();
        if (this.#consumers.get(name) === consumer) this.#consumers.delete(name);
      },
    };
  };

  readonly read: Events["read"] = async (after, filter = {}, limit = 100) => {
    const { events: found, place } = await this.#read(after, filter, Math.min(Math.max(1, limit), MOST_READ));
    return { events: found, place };
  };

  readonly latest: Events["latest"] = async () => {
    for (const end = performance.now() + MOST_SETTLING; ; await sleep(SETTLING)) {
      const { id, floor, isWaiting } = await this.#parts.horizon.ask();
      // While nothing is settled, what is under way may still write events before those that are there.
      if (id > 0 || !isWaiting || performance.now() > end) return Math.max(id, floor);
    }
  };

  readonly onWake: Events["onWake"] = (listener) => this.wake.listen(listener);

  readonly keepEntriesOf: Events["keepEntriesOf"] = (uids) => this.outbox.keepEntriesOf([...uids]);

  async consumers(): Promise<readonly ConsumerState[]> {
    return await this.#parts.places.list(await this.latest());
  }

  readonly skip: Events["skip"] = async (name) => {
    const { places } = this.#parts;
    await places.assertKnown(name);
    await places.keep(name, await this.latest());
  };

  async close(): Promise<void> {
    await Promise.all([...this.#consumers.values()].map((consumer) => consumer.stop()));
    this.#consumers.clear();
  }

  get #parts() {
    const { db } = this.app;
    if (this.#reading) return this.#reading;
    const horizon = new Horizon(db);
    this.wake.whenLeft(() => horizon.forget());
    this.#reading = { horizon, places: new Places(db) };
    return this.#reading;
  }

  /** A replica that answers readers from then on has what the events are about. */
  async #read(after: number, filter: EventFilter, limit: number): Promise<EventPage & { readonly isWaiting: boolean }> {
    const { db } = this.app;
    const { id, floor, isWaiting } = await this.#parts.horizon.ask();
    if (after < floor) throw new PastRetentionError({ after, oldest: floor });
    const found = await readEvents(db, { after, upTo: id, limit }, filter);
    if (found.length > 0 && db.replicas) await this.#waitForReplicas();
    const place = found.length < limit ? Math.max(after, id) : (found.at(-1)?.id ?? after);
    return { events: found, place, isWaiting };
  }

  async #waitForReplicas(): Promise<void> {
    const { db } = this.app;
    const text = db.replicas?.commitText;
    const [row] = text === undefined ? [] : await db.query<{ position: string }>({ text, values: [] });
    await db.replicas?.allAt(row?.position);
  }

  #check() {
    const faults = [...this.#consumers.values()].flatMap(({ name, fault }) => (fault ? [[name, fault.message]] : []));
    const status = faults.length > 0 ? ("degraded" as const) : ("ok" as const);
    return {
      status,
      consumers: this.#consumers.size,
      ...(faults.length > 0 ? { failing: Object.fromEntries(faults) } : {}),
    };
  }
}

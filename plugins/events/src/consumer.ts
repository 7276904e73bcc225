import { setTimeout as sleep } from "node:timers/promises";
import { type App, codeOrigin, reasonOf, withOrigin } from "@plinth/core";
import { channels, type EventMessage } from "@plinth/core/telemetry";
import type { ConsumeOptions, Event, EventHandler, EventPage } from "./contract.js";
import { PastRetentionError } from "./errors.js";
import type { Places } from "./places.js";

/** Milliseconds between two looks where no message says that there is something. */
const POLL = 1_000;
/** The same while transactions are under way that may still add events before those that are there: at first, and at most. */
const SETTLING = 2;
const MOST_SETTLING = 500;
/** Batches at once where order does not matter. */
const ABREAST = 4;
const BATCH = 100;
const FIRST_RETRY = 1_000;
const LONGEST_RETRY = 60_000;
/** How often a place is kept that moves although nothing is wanted. */
const KEEP_EVERY = 30_000;
/** Minutes after which a handler that has not ended is worth a word: what is behind it waits. */
const LONG = 5;

/** What a consumer works with. */
export interface ConsumerParts {
  readonly app: App;
  readonly places: Places;
  /** Reads what is settled; see Events.read. */
  readonly read: (after: number, limit: number) => Promise<EventPage & { readonly isWaiting: boolean }>;
  /** The place of one that is new; see Events.latest. Waits until it is known. */
  readonly beginning: (signal: AbortSignal) => Promise<number>;
  readonly onWake: (listener: () => void) => () => void;
}

/** Hands events to a handler, in one process at a time. Its place is kept from its first day on, whether or not this process works. */
export class RunningConsumer {
  readonly ready: Promise<void>;
  readonly #ending = new AbortController();
  /** Undefined while it does not work. */
  #stopping: AbortController | undefined;
  /** Aborted when its handler is not waited for any more. */
  #cut = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #registering: Promise<void> | undefined;
  /** Whether somebody has said so since the last look. */
  #isWoken = false;
  #endPause: () => void = () => undefined;
  /** Why it failed last; undefined while it works. */
  #fault: string | undefined;
  #isLate = false;

  constructor(
    readonly name: string,
    private readonly parts: ConsumerParts,
    readonly options: ConsumeOptions,
    private readonly handler: EventHandler,
  ) {
    this.ready = this.#register();
    // Who does not wait for it finds the failure in the log, and it is tried again.
    this.ready.catch(() => undefined);
  }

  /** Why it stands still, for its health. */
  get trouble(): string | undefined {
    return this.#isLate ? `its handler has not ended for ${LONG} minutes` : this.#fault;
  }

  /** Works from now on, whenever it is its turn; it may begin again after a stop. */
  start(): void {
    if (this.#stopping || this.#ending.signal.aborted) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    this.#cut = new AbortController();
    this.#running = withOrigin(codeOrigin, () => this.#run(stopping.signal));
  }

  /** Begins nothing more, and waits for its handler; after the time limit, in milliseconds, what that has comes again. */
  async stop(timeout?: number): Promise<void> {
    this.#stopping?.abort();
    const cut = () => this.#cut.abort(new Error("the process stops"));
    const limit = timeout === undefined ? undefined : setTimeout(cut, timeout);
    await this.#running;
    clearTimeout(limit);
    this.#stopping = undefined;
  }

  /** Stops for good. */
  async end(timeout?: number): Promise<void> {
    this.#ending.abort();
    await this.stop(timeout);
  }

  /** Calls while one is under way share it. */
  #register(): Promise<void> {
    this.#registering ??= this.#findPlace().finally(() => {
      this.#registering = undefined;
    });
    return this.#registering;
  }

  async #findPlace(): Promise<void> {
    const { places, beginning } = this.parts;
    if ((await places.of(this.name)) === undefined) await places.add(this.name, await beginning(this.#ending.signal));
  }

  async #run(stopping: AbortSignal): Promise<void> {
    const unlisten = this.parts.onWake(() => this.#wake());
    let retry = 0;
    while (!stopping.aborted) {
      try {
        await unlessAborted(this.#register(), stopping);
        const held = await this.parts.app.db.hold(`events consumer ${this.name}`);
        if (held) {
          const signal = AbortSignal.any([held.signal, stopping]);
          await this.#lead(signal, () => (retry = 0)).finally(() => held.release());
        }
        this.#fault = undefined;
        await rest(POLL, stopping);
      } catch (error) {
        if (stopping.aborted) break;
        const pause = pauseBefore(retry++);
        this.#complain(error, pause);
        await rest(pause, stopping);
      }
    }
    unlisten();
  }

  /** Never throws: a handler may reject with anything. */
  #complain(error: unknown, pause: number): void {
    this.#fault = reasonOf(error);
    const { log } = this.parts.app;
    const text = `The consumer "${this.name}" of events failed: ${this.#fault} It is tried again in ${Math.round(pause / 1_000)} s`;
    try {
      log.error({ err: error, consumer: this.name }, text);
    } catch (unwritable) {
      // The log reads properties, and marks the error: a getter may throw, and an error may be frozen.
      log.error({ consumer: this.name, unwritable: reasonOf(unwritable) }, text);
    }
  }

  /** As long as it has the lock. @param wentOn - called when events were handled. */
  async #lead(signal: AbortSignal, wentOn: () => void): Promise<void> {
    const { places } = this.parts;
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    let place = (await places.of(this.name)) ?? 0;
    let keptAt = performance.now();
    let settling = 0;
    while (!signal.aborted) {
      this.#isWoken = false;
      const { events, place: next, isWaiting } = await this.#next(place);
      if (events.length > 0) await this.#handle(events, signal);
      // A transaction that takes long is looked for less and less often.
      settling = isWaiting && next === place ? Math.min(Math.max(settling * 2, SETTLING), MOST_SETTLING) : SETTLING;
      const isKept = events.length > 0 || (next > place && performance.now() - keptAt > KEEP_EVERY);
      if (isKept) keptAt = performance.now();
      place = isKept ? await places.keep(this.name, next) : next;
      this.#fault = undefined;
      if (events.length > 0) wentOn();
      else await this.#pause(isWaiting ? settling : POLL);
    }
  }

  async #next(place: number): Promise<EventPage & { readonly isWaiting: boolean }> {
    const { batch = BATCH, ordered = true } = this.options;
    const limit = ordered ? batch : batch * ABREAST;
    try {
      return await this.parts.read(place, limit);
    } catch (error) {
      if (!(error instanceof PastRetentionError) || !this.options.onGap) throw error;
      const { after, oldest } = error.details;
      await this.#ended(Promise.resolve(this.options.onGap({ after, upTo: oldest })));
      await this.parts.places.keep(this.name, oldest);
      return await this.parts.read(oldest, limit);
    }
  }

  /** @throws what the handler throws, when the place of those before is kept */
  async #handle(events: readonly Event[], signal: AbortSignal): Promise<void> {
    const { batch = BATCH } = this.options;
    const batches: (readonly Event[])[] = [];
    for (let at = 0; at < events.length; at += batch) batches.push(events.slice(at, at + batch));
    const results = await this.#ended(Promise.allSettled(batches.map((each) => this.#hand(each, signal))));
    const failed = results.findIndex(({ status }) => status === "rejected");
    if (failed < 0) return;
    const done = batches[failed - 1]?.at(-1)?.id;
    if (done !== undefined) await this.parts.places.keep(this.name, done);
    throw (results[failed] as PromiseRejectedResult).reason;
  }

  /** Waits for code of others, and says so where that takes long. @throws when it is not waited for any more */
  async #ended<T>(work: Promise<T>): Promise<T> {
    const late = setTimeout(() => this.#sayLate(), LONG * 60_000).unref();
    try {
      return await unlessAborted(work, this.#cut.signal);
    } finally {
      clearTimeout(late);
      this.#isLate = false;
    }
  }

  #sayLate(): void {
    this.#isLate = true;
    const text = `The handler of the consumer "${this.name}" of events has not ended for ${LONG} minutes: what comes after it waits`;
    this.parts.app.log.warn({ consumer: this.name }, text);
  }

  /** @throws what the handler throws */
  async #hand(events: readonly Event[], signal: AbortSignal): Promise<void> {
    const { start, end } = channels.event;
    const counts = { app: this.parts.app, consumer: this.name, events: events.length };
    const message: EventMessage | undefined = channels.event.hasListeners
      ? { ...counts, startedAt: performance.now(), duration: 0, result: undefined }
      : undefined;
    if (message && start.hasSubscribers) start.publish(message);
    const report = (result: EventMessage["result"]): void => {
      if (!message) return;
      Object.assign(message, { duration: performance.now() - message.startedAt, result });
      end.publish(message);
    };
    try {
      await this.handler(events, { signal });
      report("done");
    } catch (error) {
      report("retry");
      throw error;
    }
  }

  #wake(): void {
    this.#isWoken = true;
    this.#endPause();
  }

  /** Until somebody says that there is something. */
  async #pause(ms: number): Promise<void> {
    if (this.#isWoken) return;
    const woken = new Promise<void>((resolve) => {
      this.#endPause = resolve;
    });
    const limit = new AbortController();
    await Promise.race([woken, sleep(ms, undefined, { signal: limit.signal, ref: false }).catch(() => undefined)]);
    limit.abort();
  }
}

/** For a time, in milliseconds, or until the signal. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/** What some work comes to. @throws the reason of the signal where that comes first */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason as Error);
    if (signal.aborted) give();
    signal.addEventListener("abort", give, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", give));
  });
}

const pauseBefore = (retry: number): number =>
  Math.min(FIRST_RETRY * 2 ** retry, LONGEST_RETRY) * (0.8 + Math.random() * 0.4);

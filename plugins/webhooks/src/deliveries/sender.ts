import { setTimeout as sleep } from "node:timers/promises";
import { type App, codeOrigin, type HeldLock, withOrigin } from "@plinth/core";
import { channels, type DeliveryMessage, inLaterSpan } from "@plinth/core/telemetry";
import type { WebhooksConfig } from "../config.js";
import type { EndpointFaults } from "../endpoints/endpoint-faults.js";
import type { KnownEndpoint } from "../endpoints/known-endpoint.js";
import type { LiveEndpoints } from "../endpoints/live-endpoints.js";
import type { Requests } from "../requests/send-request.js";
import type { DeliveryStore, ReadyDelivery, TryResult } from "./delivery-store.js";
import { Line } from "./line.js";
import { NoteQueue } from "./note-queue.js";
import { pauseAfter } from "./pauses.js";
import { type Outcome, tryDelivery } from "./try-delivery.js";

/** The channel by which processes say that there is something to deliver. */
const CHANNEL = "webhooks:deliveries";
/** Milliseconds until it looks by itself. */
const POLL = 1_000;
/** Read ahead for each endpoint. */
const AHEAD = 64;

/** What a sender works with. */
export interface SenderParts {
  readonly app: App;
  readonly config: WebhooksConfig;
  readonly store: DeliveryStore;
  readonly live: LiveEndpoints;
  readonly faults: EndpointFaults;
  readonly requests: Requests;
  targetOf(endpoint: KnownEndpoint): URL;
  messageIdOf(delivery: ReadyDelivery): string;
}

/** Sends deliveries, in one process at a time: so four at once are four, and nothing is sent twice but by a fault. */
export class Sender {
  readonly #lines = new Map<string, Line>();
  readonly #notes: NoteQueue;
  #stopping: AbortController | undefined;
  /** Aborted when what is on its way has to end. */
  #cut = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** Whether it is the one who sends. */
  #isLeading = false;
  #isWoken = false;
  #endPause: () => void = () => undefined;

  constructor(private readonly parts: SenderParts) {
    this.#notes = new NoteQueue(parts.store);
  }

  /** Works from now on, whenever it is its turn. */
  start(): void {
    if (this.#stopping) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    this.#cut = new AbortController();
    this.#running = withOrigin(codeOrigin, () => this.#run(stopping.signal));
  }

  /** Begins nothing more, and waits for what is on its way; after the time limit, in milliseconds, that is cut off and goes again later. */
  async stop(timeout: number): Promise<void> {
    if (!this.#stopping) return;
    this.#stopping.abort();
    this.#stopping = undefined;
    const limit = setTimeout(() => this.#cut.abort(new Error("the process stops")), timeout);
    this.#endPause();
    await this.#running;
    clearTimeout(limit);
  }

  /** Says to the one who sends that there may be something. */
  async wake(): Promise<void> {
    if (this.#isLeading) return this.#wake();
    await this.parts.app.db.messages.publish(CHANNEL, "").catch((err: unknown) => {
      this.parts.app.log.debug({ err }, "The sender of webhooks was not woken: it looks by itself");
    });
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { db, log } = this.parts.app;
    const onMessage = () => this.#wake();
    const leave = db.messages.subscribe(CHANNEL, { onMessage, onLost: onMessage });
    while (!signal.aborted) {
      try {
        const held = await db.hold("webhooks sender");
        if (held) await this.#lead(held, signal).finally(() => held.release());
      } catch (err) {
        if (!signal.aborted) log.error({ err }, "Webhooks could not be sent; it is tried again");
      }
      await sleep(POLL, undefined, { signal, ref: false }).catch(() => undefined);
    }
    leave();
  }

  async #lead(held: HeldLock, stopping: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([held.signal, stopping]);
    const lost = () => this.#cut.abort(new Error("another process sends"));
    held.signal.addEventListener("abort", lost, { once: true });
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    this.#isLeading = true;
    this.parts.faults.forget();
    try {
      while (!signal.aborted) {
        this.#isWoken = false;
        await this.#fill();
        await this.#pause();
      }
    } finally {
      this.#isLeading = false;
      for (const line of this.#lines.values()) line.clear();
      await Promise.all([...this.#lines.values()].map((line) => line.ended()));
      this.#lines.clear();
      held.signal.removeEventListener("abort", lost);
      if (!stopping.aborted) this.#cut = new AbortController();
    }
  }

  /** Gives endpoints that have little to do what is ready for them. */
  async #fill(): Promise<void> {
    const { live, store } = this.parts;
    const enabled = live.all.filter(({ isEnabled }) => isEnabled).map(({ id }) => id);
    for (const id of enabled) if (!this.#lines.has(id)) this.#lines.set(id, this.#lineOf(id));
    const short = enabled.filter((id) => this.#lines.get(id)?.needsMore);
    if (short.length === 0) return;
    const held = short.flatMap((id) => this.#lines.get(id)?.held ?? []);
    for (const delivery of await store.ready(short, held, AHEAD)) this.#lines.get(delivery.endpoint)?.add(delivery);
  }

  #lineOf(id: string): Line {
    return new Line(
      (delivery, sent) => this.#send(id, delivery, sent),
      () => this.#wake(),
    );
  }

  /** What fails here is not noted, and goes again. */
  async #send(id: string, delivery: ReadyDelivery, sent: () => void): Promise<void> {
    const { app, live, store } = this.parts;
    const endpoint = live.get(id);
    if (!endpoint?.isEnabled || this.#cut.signal.aborted) return;
    try {
      if (endpoint.coalesces && delivery.type.endsWith(".update") && (await store.isFollowed(delivery.id)))
        await this.#notes.add({ delivery, result: { state: "dropped" } });
      else await this.#try(endpoint, delivery, sent);
    } catch (err) {
      app.log.error({ err, delivery: delivery.id }, "What came of a webhook could not be noted; it is sent again");
      await sleep(POLL, undefined, { signal: this.#cut.signal, ref: false }).catch(() => undefined);
    }
  }

  async #try(endpoint: KnownEndpoint, delivery: ReadyDelivery, sent: () => void): Promise<void> {
    const { app, faults, requests, targetOf, messageIdOf } = this.parts;
    const signal = this.#cut.signal;
    const now = () => Math.floor(app.clock.now() / 1_000);
    const message = messageOf(app, endpoint, delivery);
    channels.delivery.start.publish(message);
    const name = `plinth.delivery ${endpoint.name}`;
    const attributes = { "plinth.endpoint": endpoint.id, "plinth.event": delivery.type };
    const outcome = await inLaterSpan({ name, attributes, traceparent: delivery.trace ?? undefined }, () =>
      tryDelivery(delivery, endpoint, { requests, targetOf, messageIdOf, now, signal }),
    );
    // One that was cut off counts for nothing; one that arrived does.
    if (signal.aborted && outcome.error !== undefined) return;
    const result = this.#resultOf(delivery, outcome);
    // First: what is noted lets the next of the document go, also to an endpoint that is gone.
    if (result.state !== "delivered") await faults.failed(endpoint, outcome);
    sent();
    await this.#notes.add({ delivery, result });
    report(message, result);
    if (result.state === "delivered") await faults.succeeded(endpoint);
  }

  #resultOf({ attempts }: ReadyDelivery, { status, answer, error, isGone }: Outcome): TryResult {
    const said = { status, answer, error };
    if (error === undefined) return { state: "delivered", ...said };
    const pause = isGone ? undefined : pauseAfter(this.parts.config.schedule, attempts + 1);
    return pause === undefined ? { state: "dead", ...said } : { state: "waiting", pause, ...said };
  }

  #wake(): void {
    this.#isWoken = true;
    this.#endPause();
  }

  /** Until somebody says that there is something. */
  async #pause(): Promise<void> {
    if (this.#isWoken) return;
    const limit = new AbortController();
    const woken = new Promise<void>((resolve) => {
      this.#endPause = resolve;
    });
    await Promise.race([woken, sleep(POLL, undefined, { signal: limit.signal, ref: false }).catch(() => undefined)]);
    limit.abort();
  }
}

const messageOf = (app: App, { id, number }: KnownEndpoint, { type, attempts }: ReadyDelivery): DeliveryMessage => ({
  ...{ app, endpoint: id, number, type, attempt: attempts + 1 },
  ...{ startedAt: performance.now(), duration: 0, result: undefined, status: undefined },
});

function report(message: DeliveryMessage, { state, status }: TryResult): void {
  message.duration = performance.now() - message.startedAt;
  message.result = state === "waiting" ? "retry" : state === "dead" ? "dead" : "delivered";
  message.status = status;
  channels.delivery.end.publish(message);
}

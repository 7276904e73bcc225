import { setTimeout as sleep } from "node:timers/promises";
import type { Ability, App } from "@plinth/core";
import { buildErrorAnswer, eventText, logFault, retryText } from "@plinth/core/http";
import type { EventsConfig } from "../config.js";
import type { Event } from "../contract.js";
import { NoRoomForStreamError } from "../errors.js";
import { wantedTypes } from "../event-types.js";
import type { OwnEvents } from "../events-service.js";
import { EventPages, type Taker } from "./event-pages.js";
import type { SealedPlaces } from "./sealed-places.js";
import { StreamBody } from "./stream-body.js";

/** Events that are read at once, so what a slow client makes us keep: 60 kB of text. */
const PAGE = 200;
/** Milliseconds between two looks where no message says that there is something. */
const POLL = 1_000;
/** The same while transactions are under way that may still add events before those that are there. */
const SETTLING = 20;
const MOST_SETTLING = 500;
/** Clients that are identified at once. */
const ABREAST = 8;
/** Milliseconds between two looks at which streams have been silent for too long. */
const BEAT = 1_000;

/** Who listens, and to what. */
export interface Listener {
  readonly wants: (event: Event) => boolean;
  /** What the caller may do now. @throws where the caller may not listen any more */
  readonly identify: () => Promise<Ability>;
}

/** A client of a stream. All up to `place` was looked at. */
interface Client extends Listener {
  readonly body: StreamBody;
  place: number;
}

/** What streams are made of. */
export interface StreamParts {
  readonly app: App;
  readonly config: EventsConfig;
  readonly events: OwnEvents;
  readonly places: SealedPlaces;
}

/**
 * The streams of events of an app. Clients who are up to date are at one place, the front, so that a page of events is read once
 * for all of them, and looked at once for all who may see the same. Who comes back, or has been slow, is behind it, and
 * is led to it by another loop, from the one who is furthest behind on: no client waits for another.
 */
export class EventStreams {
  readonly #clients = new Set<Client>();
  readonly #pages: EventPages;
  /** All up to this event was looked at by those who are up to date. */
  #front = 0;
  #isFollowing = false;
  #isCatchingUp = false;
  #isStopped = false;
  #isWoken = false;
  #endPause: () => void = () => undefined;
  #beat: NodeJS.Timeout | undefined;

  constructor(private readonly parts: StreamParts) {
    this.#pages = new EventPages(parts.app, parts.places, wantedTypes(parts.config.streamTypes));
  }

  /** @throws PLINTH_EVENTS_NO_ROOM (503) */
  assertRoom(): void {
    const { app, config } = this.parts;
    if (app.streams.isEnding) throw new NoRoomForStreamError({ why: "the process is about to stop" });
    if (this.#clients.size >= config.maxStreams)
      throw new NoRoomForStreamError({ why: `${config.maxStreams} are open` });
  }

  /**
   * @param place - to begin after.
   * @param settled - up to where events are settled now.
   * @throws PLINTH_EVENTS_NO_ROOM (503)
   */
  open(listener: Listener, place: number, settled: number): StreamBody {
    this.assertRoom();
    const body = new StreamBody(() => this.#catchUp());
    const client: Client = { ...listener, body, place };
    if (this.#clients.size === 0) this.#front = Math.max(this.#front, settled);
    this.#clients.add(client);
    const remove = this.parts.app.streams.add(() => body.finish(retryText()));
    body.once("close", () => {
      remove();
      this.#clients.delete(client);
    });
    // At once, so that the client knows that it is connected, and from where it goes on.
    body.send(this.#placeText(client));
    this.#follow();
    return body;
  }

  /** Ends all. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#beat);
    this.#endPause();
    for (const { body } of this.#clients) body.destroy();
  }

  get #isOver(): boolean {
    return this.#isStopped || this.#clients.size === 0;
  }

  #ready(isIt: (client: Client) => boolean): readonly Client[] {
    return [...this.#clients].filter((client) => client.body.isWanted && !client.body.hasEnded && isIt(client));
  }

  /** Shows new events to all who are up to date, as long as there is a client. */
  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const unlisten = this.parts.events.onWake(() => this.#wake());
    this.#beat = setInterval(() => void this.#beatAll(), BEAT).unref();
    void this.#followOn().finally(() => {
      unlisten();
      clearInterval(this.#beat);
      this.#isFollowing = false;
      if (!this.#isOver) this.#follow();
    });
  }

  async #followOn(): Promise<void> {
    let settling = SETTLING;
    while (!this.#isOver) {
      this.#isWoken = false;
      try {
        const { id, taken, isWaiting } = await this.parts.events.settled();
        if (taken < this.#front) this.#startOver(id, taken);
        if (id > this.#front) {
          const clients = this.#ready(({ place }) => place >= this.#front);
          this.#front = await this.#pass(clients, this.#front, id);
        }
        this.#catchUp();
        if (id > this.#front) continue;
        settling = isWaiting ? Math.min(settling * 2, MOST_SETTLING) : SETTLING;
        await this.#pause(isWaiting ? settling : POLL);
      } catch (error) {
        logFault(this.parts.app.log, error, {}, "Events could not be read: streams wait");
        await this.#pause(POLL);
      }
    }
  }

  /** The database is one that knows less: a restored one, or a standby that was behind. Who comes back is answered that some may be missing. */
  #startOver(settled: number, taken: number): void {
    this.#front = settled;
    for (const { place, body } of this.#clients) if (place > taken) body.finish(retryText());
  }

  /** Leads those who are behind the front to it. */
  #catchUp(): void {
    if (this.#isCatchingUp || this.#isStopped) return;
    this.#isCatchingUp = true;
    void this.#catchUpOn()
      .catch((error: unknown) => {
        logFault(this.parts.app.log, error, {}, "Events could not be read: streams wait");
      })
      .finally(() => {
        this.#isCatchingUp = false;
      });
  }

  async #catchUpOn(): Promise<void> {
    // Of whom it is not known who they are: the next look leads here again.
    const left = new Set<Client>();
    for (;;) {
      const clients = this.#ready((client) => client.place < this.#front && !left.has(client));
      if (clients.length === 0 || this.#isStopped) return;
      const lowest = clients.reduce((least, { place }) => Math.min(least, place), this.#front);
      await this.#pass(clients, lowest, this.#front);
      for (const client of clients) if (client.place === lowest) left.add(client);
    }
  }

  /** Shows a page of events to clients who are at its beginning or in it. @returns its end */
  async #pass(clients: readonly Client[], after: number, upTo: number): Promise<number> {
    if (clients.length === 0) return upTo;
    const { events, place: end } = await this.parts.events.between({ after, upTo, limit: PAGE });
    const takers = clients.filter(({ place }) => place < end);
    const show = this.#pages.open(events);
    await inTurns(takers, (client) => this.#show(client, show, end));
    return end;
  }

  async #show(client: Client, show: (taker: Taker) => Promise<string>, end: number): Promise<void> {
    const { wants, identify, place, body } = client;
    try {
      const text = await show({ wants, identify, place });
      if (body.hasEnded) return;
      client.place = end;
      if (text !== "") body.send(text);
    } catch (error) {
      this.#endWith(client, error);
    }
  }

  /** While the database is away a client stays where it is; any other fault of ours it may come back after. */
  #endWith({ body }: Client, error: unknown): void {
    const { status, body: answer } = buildErrorAnswer(error);
    if (status >= 500) logFault(this.parts.app.log, error, {}, "It is not known what a stream of events may show");
    if (status === 503) return;
    if (status >= 500) body.finish(retryText());
    else body.finish(eventText({ event: "end", data: JSON.stringify({ error: answer.error }) }));
  }

  /**
   * Says to clients who got nothing for a while that they are connected, and where they are. What a client may not see moves its
   * place as well; the text does not say whether it did.
   */
  async #beatAll(): Promise<void> {
    const due = performance.now() - this.parts.config.heartbeat;
    const silent = this.#ready(({ body }) => body.sentAt <= due);
    for (const client of silent) client.body.send(this.#placeText(client));
    await inTurns(silent, (client) =>
      client.identify().then(
        () => undefined,
        (error: unknown) => this.#endWith(client, error),
      ),
    );
  }

  #placeText({ place }: Client): string {
    return `id: ${this.parts.places.seal({ id: place, at: this.parts.app.clock.now() })}\n\n`;
  }

  #wake(): void {
    this.#isWoken = true;
    this.#endPause();
  }

  /** Until somebody says that there is something. */
  async #pause(ms: number): Promise<void> {
    if (this.#isWoken || this.#isStopped) return;
    const limit = new AbortController();
    this.#endPause = () => limit.abort();
    await sleep(ms, undefined, { signal: limit.signal, ref: false }).catch(() => undefined);
  }
}

/** Does something for each client, for some at once. */
async function inTurns(clients: readonly Client[], work: (client: Client) => Promise<void>): Promise<void> {
  for (let from = 0; from < clients.length; from += ABREAST)
    await Promise.all(clients.slice(from, from + ABREAST).map(work));
}

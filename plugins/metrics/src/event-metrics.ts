import type { App } from "@plinth/core";
import { channels, type EventBacklogMessage, type EventMessage } from "@plinth/core/telemetry";
import type { Listening } from "./listening.js";
import { Counter, gauge, type Reading } from "./series.js";

const PENDING = { name: "plinth_events_pending", help: "Events that a consumer has before it, up to 10,000" };
const LAG = { name: "plinth_event_lag_seconds", help: "Age of the oldest event that a consumer has before it" };
const WRITER = {
  name: "plinth_events_writer_age_seconds",
  help: "Age of the oldest transaction that writes: events after its beginning wait for its end",
};

/** What consumers of events have done, and have before them; their names are of the app's code. */
export class EventMetrics implements Listening {
  readonly #handled = new Counter({
    name: "plinth_events_total",
    help: "Events that a consumer was handed, by whether it handled them",
    labels: ["consumer", "result"],
  });
  #backlog: EventBacklogMessage | undefined;

  constructor(private readonly app: App) {}

  start(): void {
    channels.event.end.subscribe(this.#count);
    channels.eventBacklog.subscribe(this.#note);
  }

  stop(): void {
    channels.event.end.unsubscribe(this.#count);
    channels.eventBacklog.unsubscribe(this.#note);
  }

  read(): readonly Reading[] {
    const { consumers = [], writingSince } = this.#backlog ?? {};
    const pending = consumers.map(({ consumer, pending: value }) => ({ labels: { consumer }, value }));
    // Of what was there at the last look, so that it grows while the database does not answer.
    const lags = consumers.map(({ consumer, oldest }) => ({ labels: { consumer }, value: this.#ageOf(oldest) }));
    const writer = this.#backlog ? [{ labels: {}, value: this.#ageOf(writingSince) }] : [];
    return [
      this.#handled.read(),
      gauge({ ...PENDING, aggregator: "max" }, ...pending),
      gauge({ ...LAG, aggregator: "max" }, ...lags),
      gauge({ ...WRITER, aggregator: "max" }, ...writer),
    ];
  }

  #ageOf(time: number | undefined): number {
    return time === undefined ? 0 : Math.max(0, this.app.clock.now() - time) / 1000;
  }

  readonly #count = ({ app, consumer, events, result = "retry" }: EventMessage): void => {
    if (app === this.app) this.#handled.add(events, consumer, result);
  };

  readonly #note = (message: EventBacklogMessage): void => {
    if (message.app === this.app) this.#backlog = message;
  };
}

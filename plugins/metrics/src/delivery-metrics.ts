import type { App } from "@plinth/core";
import { channels, type DeliveryMessage } from "@plinth/core/telemetry";
import type { Listening } from "./listening.js";
import { Counter, type Reading } from "./series.js";

/** Endpoints that have a series of their own; the others share one. */
const MOST = 50;

/** Counts of webhooks, by the numbers of their endpoints. */
export class DeliveryMetrics implements Listening {
  readonly #deliveries = new Counter({
    name: "plinth_deliveries_total",
    help: "Tries to deliver a webhook, by how they ended",
    labels: ["endpoint", "result"],
  });
  readonly #numbers = new Set<string>();

  constructor(private readonly app: App) {}

  start(): void {
    channels.delivery.end.subscribe(this.#count);
  }

  stop(): void {
    channels.delivery.end.unsubscribe(this.#count);
  }

  read(): readonly Reading[] {
    return [this.#deliveries.read()];
  }

  readonly #count = ({ app, number, result = "retry" }: DeliveryMessage): void => {
    if (app !== this.app) return;
    if (this.#numbers.size < MOST) this.#numbers.add(number);
    this.#deliveries.add(1, this.#numbers.has(number) ? number : "other", result);
  };
}

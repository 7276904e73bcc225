import type { App } from "@plinth/core";
import { type Consumer, type Event, events } from "@plinth/plugin-events";
import type { WebhooksConfig } from "./config.js";
import { ENDPOINT_TYPE } from "./content-types.js";
import type { TestResult } from "./contract.js";
import { DeliveryStore, type ReadyDelivery } from "./deliveries/delivery-store.js";
import { MessageIds } from "./deliveries/message-ids.js";
import { pingOf } from "./deliveries/ping.js";
import { deliveriesOf } from "./deliveries/queue-events.js";
import { Sender } from "./deliveries/sender.js";
import { tryDelivery } from "./deliveries/try-delivery.js";
import { EndpointCheck } from "./endpoints/check-endpoint.js";
import { EndpointFaults } from "./endpoints/endpoint-faults.js";
import type { KnownEndpoint } from "./endpoints/known-endpoint.js";
import { LiveEndpoints } from "./endpoints/live-endpoints.js";
import { InvalidEndpointError } from "./errors.js";
import { AddressRules } from "./requests/address-rules.js";
import { Requests } from "./requests/send-request.js";

/** What makes deliveries of events in one process, and sends them. */
export class Deliverer {
  readonly check: EndpointCheck;
  readonly live: LiveEndpoints;
  readonly store: DeliveryStore;
  readonly sender: Sender;
  readonly #requests: Requests;
  #consumer: Consumer | undefined;
  #ids: MessageIds | undefined;

  constructor(
    private readonly app: App,
    private readonly config: WebhooksConfig,
  ) {
    this.check = new EndpointCheck(app, config);
    this.live = new LiveEndpoints(app);
    this.store = new DeliveryStore(app.db);
    this.#requests = new Requests(config.sendTo === undefined ? new AddressRules(config.allow) : undefined);
    const targetOf = (endpoint: KnownEndpoint) => this.#targetOf(endpoint);
    const faults = new EndpointFaults(app, this.live);
    const messageIdOf = ({ event, part }: ReadyDelivery) => this.ids.seal(Number(event), part);
    this.sender = new Sender({ app, config, targetOf, messageIdOf, faults, ...this.#parts() });
  }

  /** From `open` on. */
  get ids(): MessageIds {
    return this.#ids as MessageIds;
  }

  /** Sends something to an endpoint once, and keeps nothing of it. It never throws. */
  async ping(endpoint: KnownEndpoint): Promise<TestResult> {
    const startedAt = this.app.clock.now();
    const ping = pingOf(endpoint, startedAt);
    const id = `evt_${ping.event}`;
    const targetOf = (each: KnownEndpoint) => this.#targetOf(each);
    const parts = { requests: this.#requests, targetOf, messageIdOf: () => id };
    const now = () => Math.floor(startedAt / 1_000);
    const outcome = await tryDelivery(ping, endpoint, { ...parts, now, signal: new AbortController().signal });
    const { status = null, answer = null, error = null } = outcome;
    const duration = Math.max(0, Math.round(this.app.clock.now() - startedAt));
    return { id, at: new Date(startedAt).toISOString(), duration, status, error, answer };
  }

  #parts() {
    return { live: this.live, store: this.store, requests: this.#requests };
  }

  /** From now on no event is missed. @throws PLINTH_WEBHOOKS_CONFIG_INVALID (500) */
  async open(): Promise<void> {
    this.#ids = await MessageIds.open(this.app.db);
    await this.live.open(this.check.endpointsOfConfig());
    const onGap = (gap: object) =>
      this.app.log.error({ ...gap }, "Events were deleted before webhooks had them: their endpoints have missed them");
    this.#consumer = this.app.service(events).consume("webhooks", { onGap }, (batch) => this.#queue(batch));
    await this.#consumer.ready;
  }

  async close(): Promise<void> {
    await this.#consumer?.stop();
    await this.sender.stop(0);
    this.live.close();
    this.#requests.close();
  }

  /** Deletes what is old. */
  async forget(): Promise<void> {
    const table = String(this.app.model.contentTypes.get(ENDPOINT_TYPE)?.table);
    const ofConfig = this.live.all.filter(({ source }) => source === "config").map(({ id }) => id);
    await this.store.forget(this.config.keep, { table, ofConfig });
  }

  async #queue(batch: readonly Event[]): Promise<void> {
    // Not those that this process knows: one may have been made just before the event, by another process.
    const deliveries = await deliveriesOf(this.app, batch, await this.live.read());
    if ((await this.store.add(deliveries)) > 0) void this.sender.wake();
  }

  /** An endpoint may have been written past its check. @throws PLINTH_WEBHOOKS_INVALID (400) */
  #targetOf({ url, secrets }: KnownEndpoint): URL {
    const message = this.check.problemOfUrl(url);
    if (message !== undefined) throw new InvalidEndpointError({ errors: [{ path: "url", message }] });
    if (secrets.length === 0)
      throw new InvalidEndpointError({
        errors: [{ path: "secrets", message: "are missing: nothing is sent unsigned" }],
      });
    const target = new URL(url);
    if (this.config.sendTo === undefined) return target;
    // Not resolved as a reference: a path such as //example.com would lead to another server.
    const { pathname, search } = target;
    return Object.assign(new URL(this.config.sendTo), { pathname, search, hash: "" });
  }
}

import { type App, implement, type ServiceRef, serviceRef } from "@plinth/core";
import { assertMayGrant } from "@plinth/core/access";
import { events } from "@plinth/plugin-events";
import type { WebhooksConfig } from "./config.js";
import { ENDPOINT_TYPE } from "./content-types.js";
import {
  type ChangedEndpoint,
  type Delivery,
  type DeliveryFilter,
  type Endpoint,
  type EndpointCaller,
  type EndpointOptions,
  type EndpointValues,
  type EndpointWithSecrets,
  type TestResult,
  type Webhooks,
  webhooks,
} from "./contract.js";
import { Deliverer } from "./deliverer.js";
import type { ChangeVerb } from "./deliveries/delivery-store.js";
import type { StoredFilter } from "./deliveries/stored-filter.js";
import { contentGrantOf } from "./endpoints/content-grant.js";
import { endpointOptions } from "./endpoints/endpoint-options.js";
import { isOfConfig, type KnownEndpoint, viewOf } from "./endpoints/known-endpoint.js";
import { isMoved, secretsOfMoved } from "./endpoints/moved-endpoint.js";
import { lockOf } from "./endpoints/endpoint-faults.js";
import { CHANNEL } from "./endpoints/live-endpoints.js";
import { EndpointInConfigError, EndpointUnknownError, InvalidEndpointError, InvalidSelectionError } from "./errors.js";
import { attributeOf } from "./endpoints/parse-stored.js";
import { makeSecret } from "./requests/sign.js";
import { STARTS, STATES } from "./tables.js";

const SHOWN = 100;

const BEGIN = `insert into ${STARTS} (endpoint, event) values ($1, $2)
  on conflict (endpoint) do update set event = excluded.event`;

/** The service behind webhooks, and what of it works. */
class WebhooksService implements Webhooks {
  readonly deliverer: Deliverer;

  constructor(
    private readonly app: App,
    private readonly config: WebhooksConfig,
  ) {
    this.deliverer = new Deliverer(app, config);
  }

  async list(): Promise<readonly Endpoint[]> {
    return (await this.deliverer.live.read()).map(viewOf);
  }

  async find(endpoint: string): Promise<Endpoint | undefined> {
    const known = await this.#find(endpoint);
    return known && viewOf(known);
  }

  async create(values: EndpointValues, caller: EndpointCaller = {}): Promise<EndpointWithSecrets> {
    const { check, live } = this.deliverer;
    const data = check.assertValues({ secrets: [makeSecret()], ...withoutUndefined(values) });
    this.#assertName(data.name);
    await this.#assertMayGive(rightsOf(data), caller);
    const { documentId } = await this.app.documents(ENDPOINT_TYPE).create({ data: { ...data } });
    await live.read();
    const made = live.get(documentId) as KnownEndpoint;
    return { ...viewOf(made), secrets: made.secrets };
  }

  async update(
    documentId: string,
    changes: Partial<EndpointValues>,
    caller: EndpointCaller = {},
  ): Promise<ChangedEndpoint | undefined> {
    const { live, store } = this.deliverer;
    const start = await this.#newStart();
    const secrets = await this.#changing(documentId, caller, async (known) => {
      const changed = withoutUndefined(changes);
      await this.#assertChange(known, changed, caller);
      if (changed.enabled === true) await this.#forgetState(documentId);
      if (changed.enabled === true && !known.isEnabled) await this.#begin(documentId, start);
      if (isOfConfig(documentId)) return [];
      const moved = secretsOfMoved(known, changed);
      const data = { ...changed, ...(moved ? { secrets: moved } : {}) };
      await this.app.documents(ENDPOINT_TYPE).update({ documentId, data });
      return moved ?? [];
    });
    if (!secrets) return undefined;
    await live.read();
    // The receiver works again: nothing waits for its time.
    if (changes.enabled === true) await store.change("soon", { endpoint: documentId }, [documentId]);
    await this.deliverer.sender.wake();
    const now = live.get(documentId);
    return now && { ...viewOf(now), ...(secrets.length > 0 ? { secrets } : {}) };
  }

  async rotate(documentId: string, caller: EndpointCaller = {}): Promise<EndpointWithSecrets | undefined> {
    const secret = makeSecret();
    const rotated = await this.#changing(documentId, caller, async (known) => {
      if (isOfConfig(documentId)) throw new EndpointInConfigError({ endpoint: known.name });
      const secrets = [secret, ...known.secrets.slice(0, 1)];
      await this.app.documents(ENDPOINT_TYPE).update({ documentId, data: { secrets } });
      return known;
    });
    return rotated && { ...viewOf((await this.#findById(documentId)) ?? rotated), secrets: [secret] };
  }

  async test(documentId: string): Promise<TestResult | undefined> {
    const known = await this.#findById(documentId);
    return known && (await this.deliverer.ping(known));
  }

  options(): EndpointOptions {
    return endpointOptions(this.app, this.config);
  }

  async remove(documentId: string, caller: EndpointCaller = {}): Promise<boolean> {
    const removed = await this.#changing(documentId, caller, async (known) => {
      if (isOfConfig(documentId)) throw new EndpointInConfigError({ endpoint: known.name });
      await this.app.documents(ENDPOINT_TYPE).delete({ documentId });
      return known;
    });
    if (removed) await this.deliverer.live.read();
    return removed !== undefined;
  }

  async deliveries(filter: DeliveryFilter = {}, limit: number = SHOWN): Promise<readonly Delivery[]> {
    const { ids, store } = this.deliverer;
    const found = await store.list(await this.#stored(filter), limit);
    return found.map(({ part, ...delivery }) => ({ ...delivery, message: ids.seal(delivery.event, part) }));
  }

  async replay({ state = "dead", ...filter }: DeliveryFilter): Promise<number> {
    return await this.#change(state === "waiting" ? "soon" : "again", { ...filter, state });
  }

  async drop({ state = "dead", ...filter }: DeliveryFilter): Promise<number> {
    return await this.#change("drop", { ...filter, state });
  }

  /** Called in the transaction that makes an endpoint: it gets nothing that was written before. */
  async begin(documentId: string): Promise<void> {
    await this.#begin(documentId, await this.#newStart());
  }

  /** Called in the transaction that deletes an endpoint. */
  async forget(documentId: string): Promise<void> {
    await this.deliverer.store.forgetOf(documentId);
    await this.app.db.query({ text: `delete from ${STARTS} where endpoint = $1`, values: [documentId] });
    await this.#forgetState(documentId);
  }

  async #change(verb: ChangeVerb, { state, ...filter }: DeliveryFilter): Promise<number> {
    const { live, sender, store } = this.deliverer;
    if (Object.values(filter).every((value) => value === undefined))
      throw new InvalidSelectionError({ reason: "nothing says which of them are meant" });
    const stored = await this.#stored({ ...filter, state });
    const endpoints = stored.endpoint === undefined ? live.all.map(({ id }) => id) : [stored.endpoint];
    const count = await store.change(verb, stored, endpoints);
    await sender.wake();
    return count;
  }

  /** @throws PLINTH_WEBHOOKS_SELECTION_INVALID (400), PLINTH_WEBHOOKS_UNKNOWN (404) */
  async #stored({ endpoint, event: text, ...filter }: DeliveryFilter): Promise<StoredFilter> {
    const event = text === undefined ? undefined : this.#eventOf(String(text));
    if (endpoint === undefined) return { ...filter, event };
    const known = await this.#find(endpoint);
    if (known) return { ...filter, event, endpoint: known.id };
    throw new EndpointUnknownError({ endpoint, known: this.deliverer.live.all.map(({ name }) => name) });
  }

  /** @throws PLINTH_WEBHOOKS_SELECTION_INVALID (400) */
  #eventOf(text: string): number {
    const event = /^\d{1,15}$/.test(text) ? Number(text) : this.deliverer.ids.eventOf(text);
    if (event !== undefined) return event;
    throw new InvalidSelectionError({
      reason: `"${text}" is neither the number of an event, such as 1207, nor the webhook-id of a message`,
    });
  }

  /** What is no delivery yet may be older than an endpoint. */
  #newStart(): Promise<number> {
    return this.app.service(events).taken();
  }

  async #begin(endpoint: string, start: number): Promise<void> {
    await this.app.db.query({ text: BEGIN, values: [endpoint, start] });
  }

  async #forgetState(endpoint: string): Promise<void> {
    await this.app.db.query({ text: `delete from ${STATES} where endpoint = $1`, values: [endpoint] });
    await this.app.db.messages.publish(CHANNEL, "changed");
  }

  /** An id wins over a name that reads like one. */
  async #find(endpoint: string): Promise<KnownEndpoint | undefined> {
    const all = await this.deliverer.live.read();
    return all.find(({ id }) => id === endpoint) ?? all.find(({ name }) => name === endpoint);
  }

  async #findById(documentId: string): Promise<KnownEndpoint | undefined> {
    return (await this.deliverer.live.read()).find(({ id }) => id === documentId);
  }

  /** Changes an endpoint as it is now, one change after the other. @returns undefined where there is none @throws PLINTH_ADMIN_GRANTS_MORE (403) */
  async #changing<Result>(
    documentId: string,
    caller: EndpointCaller,
    change: (known: KnownEndpoint) => Promise<Result>,
  ): Promise<Result | undefined> {
    if (!(await this.#findById(documentId))) return undefined;
    return await this.app.db.transaction(async () => {
      // In this order, as where an endpoint is disabled for its failures.
      await this.app.db.lock(lockOf(documentId));
      if (!isOfConfig(documentId)) await this.app.documents(ENDPOINT_TYPE).lock(documentId);
      const known = await this.#findById(documentId);
      if (!known) return undefined;
      await this.#assertMayGive(known, caller);
      return await change(known);
    });
  }

  /** @throws PLINTH_WEBHOOKS_INVALID (400), PLINTH_WEBHOOKS_IN_CONFIG (409), PLINTH_ADMIN_GRANTS_MORE (403) */
  async #assertChange(known: KnownEndpoint, changed: Partial<EndpointValues>, caller: EndpointCaller): Promise<void> {
    if (isOfConfig(known.id)) return assertEnables(known, changed);
    assertCorrected(known, changed);
    const next = this.deliverer.check.assertValues({ ...valuesOf(known), ...changed });
    if (changed.name !== undefined) this.#assertName(changed.name);
    await this.#assertMayGive(rightsOf(next), caller);
    if (isMoved(known, changed)) await this.#assertMayReadKept(known, caller);
  }

  /** What waits or is sent again goes to the new address, also from before the endpoint lost its content. @throws PLINTH_ADMIN_GRANTS_MORE (403) */
  async #assertMayReadKept({ id, name }: KnownEndpoint, caller: EndpointCaller): Promise<void> {
    if (!caller.actor) return;
    const types = await this.deliverer.store.typesInBodies(id);
    await this.#assertMayGive({ name, types, hasContent: types.size > 0 }, caller);
  }

  /** @throws PLINTH_ADMIN_GRANTS_MORE (403) */
  async #assertMayGive(
    endpoint: Parameters<typeof contentGrantOf>[1] & { readonly name: string },
    { actor }: EndpointCaller,
  ) {
    const given = { grant: contentGrantOf(this.app, endpoint), holder: `The webhook "${endpoint.name}"` };
    if (actor) await assertMayGrant(this.app, { actor, ...given });
  }

  /** Commands call endpoints by their names. @throws PLINTH_WEBHOOKS_INVALID (400) */
  #assertName(name: string): void {
    const isTaken = this.deliverer.live.all.some((each) => each.source === "config" && each.name === name);
    if (isTaken)
      throw new InvalidEndpointError({ errors: [{ path: "name", message: "is that of one in config/webhooks" }] });
  }
}

/** The same as `webhooks`, for the plugin itself. */
export const webhooksService: ServiceRef<WebhooksService> = serviceRef<WebhooksService>("plugin::webhooks.own");

/** The service behind `webhooksService`. */
export const webhooksServiceImpl = implement(webhooksService, {
  create: (_deps, { app, config }: { app: App; config: WebhooksConfig }) => new WebhooksService(app, config),
});

/** The service behind `webhooks`. */
export const webhooksImpl = implement(webhooks, { deps: { own: webhooksService }, create: ({ own }) => own });

/** @throws PLINTH_WEBHOOKS_IN_CONFIG (409) for any other change, and where the configuration itself disables it */
function assertEnables({ name, isMeant }: KnownEndpoint, changes: Partial<EndpointValues>): void {
  const isThat = Object.keys(changes).length === 1 && changes.enabled === true;
  if (!isThat || !isMeant) throw new EndpointInConfigError({ endpoint: name });
}

/** What is wrong with a row stays so until it is changed. @throws PLINTH_WEBHOOKS_INVALID (400) */
function assertCorrected({ problems }: KnownEndpoint, changes: Partial<EndpointValues>): void {
  const errors = problems.filter((problem) => !(attributeOf(problem) in changes));
  if (errors.length > 0) throw new InvalidEndpointError({ errors });
}

const rightsOf = ({ name, types, format, content }: EndpointValues) => ({
  ...{ name, types: types ? new Set(types) : undefined },
  hasContent: content === true || format === "strapi",
});

const withoutUndefined = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

function valuesOf(endpoint: KnownEndpoint): EndpointValues {
  const { name, url, events, types, secrets, headers, format, hasContent, coalesces, isEnabled } = endpoint;
  return {
    ...{ name, url, events, types: types ? [...types] : null, secrets, headers, format },
    ...{ content: hasContent, coalesce: coalesces, enabled: isEnabled },
  };
}

import type { App } from "@plinth/core";
import { events } from "@plinth/plugin-events";
import { ENDPOINT_TYPE } from "../content-types.js";
import { STARTS, STATES } from "../tables.js";
import type { EndpointsConfig } from "./endpoint-schema.js";
import { endpointOfDocument, type EndpointState, endpointsOfConfig, type KnownEndpoint } from "./known-endpoint.js";

/** The channel for changes of endpoints between processes. */
export const CHANNEL = "webhooks:endpoints";

const READ = `select endpoint, failing_since, disabled_at, reason, event::text as start
  from ${STATES} full join ${STARTS} using (endpoint)`;

/** Milliseconds until the next try when endpoints could not be read. */
const PAUSE = 1_000;

/** The endpoints of an app, in this process, kept as they are in the database. */
export class LiveEndpoints {
  #all: readonly KnownEndpoint[] = [];
  #reads = 0;
  #latest = 0;
  #leave: (() => void) | undefined;
  #next: NodeJS.Timeout | undefined;
  #keptTypes = "";
  #letGo: () => void = () => undefined;

  #config: EndpointsConfig = {};

  constructor(private readonly app: App) {}

  /** Reads them, and again whenever they change. @param config - those of config/webhooks. */
  async open(config: EndpointsConfig): Promise<void> {
    this.#config = config;
    const readAgain = () => this.#readAgain();
    this.#leave = this.app.db.messages.subscribe(CHANNEL, { onMessage: readAgain, onLost: readAgain });
    await this.read();
  }

  close(): void {
    this.#leave?.();
    this.#leave = undefined;
    clearTimeout(this.#next);
    this.#letGo();
  }

  /** As they were read last. */
  get all(): readonly KnownEndpoint[] {
    return this.#all;
  }

  /** By its id. */
  get(id: string): KnownEndpoint | undefined {
    return this.#all.find((endpoint) => endpoint.id === id);
  }

  /** As they are now. @throws PLINTH_DATABASE_* */
  async read(): Promise<readonly KnownEndpoint[]> {
    this.#reads += 1;
    const own = this.#reads;
    const documents = await this.app.documents(ENDPOINT_TYPE).findMany({
      ...{ sort: "id", pagination: { limit: -1 }, withPrivate: true },
    });
    // After the documents: one that was made meanwhile would have no start, and get all that was written before.
    const rows = await this.app.db.query<EndpointState & object>({ text: READ, values: [] });
    const states = new Map(rows.map((row) => [row.endpoint, row]));
    const stored = documents.map((document) => endpointOfDocument(document, states.get(document.documentId)));
    const all = [...endpointsOfConfig(this.#config, states), ...stored];
    // The last to have begun is the newest.
    if (own > this.#latest) this.#use(own, all);
    return all;
  }

  #use(own: number, all: readonly KnownEndpoint[]): void {
    this.#latest = own;
    this.#all = all;
    const wanting = all.filter(({ isEnabled, hasContent }) => isEnabled && hasContent);
    const every = wanting.some(({ types }) => types === undefined) ? [...this.app.model.contentTypes.keys()] : [];
    const kept = [...new Set([...every, ...wanting.flatMap(({ types }) => [...(types ?? [])])])].sort();
    if (kept.join() === this.#keptTypes) return;
    const letGo = this.#letGo;
    this.#letGo = this.app.service(events).keepEntriesOf(kept);
    this.#keptTypes = kept.join();
    letGo();
  }

  #readAgain(): void {
    clearTimeout(this.#next);
    this.read().catch((err: unknown) => {
      if (!this.#leave) return;
      this.app.log.warn({ err }, "The endpoints of webhooks changed and could not be read; it is tried again");
      this.#next = setTimeout(() => this.#readAgain(), PAUSE).unref();
    });
  }
}

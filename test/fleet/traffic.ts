import { setTimeout as sleep } from "node:timers/promises";

/** An app that is asked. */
interface Asked {
  readonly url: string;
  /** What the plate of each of its cars begins with. */
  readonly prefix: string;
}

/** What failed in a time: how often, and the milliseconds from the first failure to the last. */
export interface Outage {
  readonly failed: number;
  readonly ms: number;
}

/** Milliseconds between two requests of a client. */
const PAUSE = 5;

/** Clients that read and write cars of the fleet app, two of each for every app, until they are ended. */
export class Traffic {
  reads = 0;
  writes = 0;
  /** Reads that found what another app has written. */
  strange = 0;
  /** How many answers each client has had. */
  readonly #answered: number[] = [];
  #failures: number[] = [];
  #isEnded = false;
  readonly #clients: readonly Promise<void>[];

  constructor(apps: readonly Asked[]) {
    const kinds = [this.#read, this.#read, this.#write, this.#write];
    const asks = apps.flatMap((app) => kinds.map((ask) => () => ask.call(this, app)));
    this.#clients = asks.map((ask, client) => this.#repeat(ask, client));
  }

  /** Waits until each client has had so many more answers. @returns what failed since the last call of this or the next */
  async more(count: number): Promise<Outage> {
    const before = [...this.#answered];
    while (this.#answered.some((answered, client) => answered < (before[client] ?? 0) + count)) await sleep(PAUSE);
    return this.takeOutage();
  }

  /** What failed since the last call. */
  takeOutage(): Outage {
    const failures = this.#failures;
    this.#failures = [];
    const ms = failures.length === 0 ? 0 : Math.round(Math.max(...failures) - Math.min(...failures));
    return { failed: failures.length, ms };
  }

  async end(): Promise<this> {
    this.#isEnded = true;
    await Promise.all(this.#clients);
    return this;
  }

  async #repeat(ask: () => Promise<boolean>, client: number): Promise<void> {
    for (this.#answered[client] = 0; !this.#isEnded; await sleep(PAUSE)) if (await ask()) this.#answered[client]! += 1;
  }

  /** Each says whether there was an answer. */
  async #read({ url, prefix }: Asked): Promise<boolean> {
    const body = await this.#ask(`${url}/api/cars?sort=id:desc&pagination[pageSize]=5`);
    const cars = (body?.data ?? []) as readonly { readonly plate: string }[];
    if (body) this.reads += 1;
    if (cars.some(({ plate }) => !plate.startsWith(prefix))) this.strange += 1;
    return body !== undefined;
  }

  async #write({ url, prefix }: Asked): Promise<boolean> {
    const data = { plate: `${prefix} ${Math.random()}` };
    const body = JSON.stringify({ data });
    const headers = { "content-type": "application/json" };
    const isWritten = (await this.#ask(`${url}/api/cars`, { method: "POST", headers, body })) !== undefined;
    if (isWritten) this.writes += 1;
    return isWritten;
  }

  async #ask(url: string, init: RequestInit = {}): Promise<{ readonly data?: unknown } | undefined> {
    const response = await fetch(url, init).catch(() => undefined);
    const body = (await response?.json()) as { readonly data?: unknown } | undefined;
    if (response?.ok) return body;
    this.#failures.push(performance.now());
    return undefined;
  }
}

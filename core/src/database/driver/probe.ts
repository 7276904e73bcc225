import type { GuardedClient } from "./guarded-client.js";
import { connectionOf } from "./pg-internals.js";

/** Milliseconds between two questions. */
const INTERVAL = 50;
/** Intervals without an answer after which a connection is given up: 1 s. A process that was paused counts one. */
const PATIENCE = 20;
/** Intervals until the next try after a failure. */
const PAUSE = 5;

/** What a probe asks, and whom it calls. */
export interface ProbeOptions {
  /** A client that is not connected yet. */
  readonly connect: () => GuardedClient;
  /** A statement with one column, `position`. */
  readonly text: string;
  /** Of the prepared statement; undefined for none. */
  readonly name: string | undefined;
  /** @param position - null, or no row: undefined. @param asked - when, as of `performance.now()` */
  readonly answered: (position: string | null | undefined, asked: number) => void;
  /** @param isSilent - whether it gave no answer at all: a server that is only slow looks the same */
  readonly failed: (error: unknown, isSilent: boolean) => void;
}

/** Asks one server every 50 ms for its position, on a connection of its own, and connects again when it is lost. */
export class Probe {
  readonly #options: ProbeOptions;
  #client: GuardedClient | undefined;
  #asking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Intervals since it was asked; below 0: until the next try. */
  #intervals = 0;
  #isSilent = false;

  constructor(options: ProbeOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), INTERVAL).unref();
    this.#asking = this.#ask();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#giveUp("the app is stopping");
    await this.#asking;
  }

  #look(): void {
    this.#intervals += 1;
    if (this.#asking === undefined) {
      if (this.#intervals > 0) this.#asking = this.#ask();
    } else if (this.#intervals >= PATIENCE) {
      this.#isSilent = true;
      this.#giveUp("it does not answer");
    }
  }

  #giveUp(reason: string): void {
    this.#client?.destroy(new Error(reason));
  }

  async #ask(): Promise<void> {
    this.#intervals = 0;
    this.#isSilent = false;
    const asked = performance.now();
    try {
      const client = this.#client ?? (await this.#connect());
      const { text, name } = this.#options;
      const { rows } = await client.query<{ position: string | null }>(name === undefined ? { text } : { text, name });
      this.#options.answered(rows[0]?.position, asked);
    } catch (error) {
      this.#intervals = -PAUSE;
      this.#giveUp("it failed");
      this.#client = undefined;
      this.#options.failed(error, this.#isSilent);
    } finally {
      this.#asking = undefined;
    }
  }

  async #connect(): Promise<GuardedClient> {
    const client = this.#options.connect();
    this.#client = client;
    // The statement that waits gets the error; a connection that breaks between two questions fails the next one.
    client.on("error", () => undefined);
    // The client has no listener of its own before it knows the address.
    connectionOf(client).stream.on("error", () => undefined);
    await client.connect();
    return client;
  }
}

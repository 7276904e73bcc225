import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds between two requests of a client. */
const PAUSE = 3;
const CLIENTS = 6;

/** Clients that read one address until they are ended, and how they fared. */
export class Reads {
  /** By what came: a status, or why nothing did. */
  readonly failures: string[] = [];
  readonly milliseconds: number[] = [];
  #isEnded = false;
  readonly #clients: readonly Promise<void>[];

  /** @param pause - milliseconds between two requests of a client; with few, clients and servers take all of the processor */
  constructor(
    private readonly url: string,
    private readonly pause = PAUSE,
  ) {
    this.#clients = Array.from({ length: CLIENTS }, () => this.#read());
  }

  get count(): number {
    return this.milliseconds.length;
  }

  /** Waits until so many more have ended, well or not. */
  async more(count: number): Promise<void> {
    for (const end = this.count + count; this.count < end; ) await sleep(this.pause);
  }

  async end(): Promise<this> {
    this.#isEnded = true;
    await Promise.all(this.#clients);
    return this;
  }

  async #read(): Promise<void> {
    while (!this.#isEnded) {
      const since = performance.now();
      const failure = await this.#ask().catch((error: unknown) => String((error as Error).cause ?? error));
      this.milliseconds.push(performance.now() - since);
      if (failure) this.failures.push(failure);
      await sleep(this.pause);
    }
  }

  /** @returns what was wrong with the answer */
  async #ask(): Promise<string | undefined> {
    const response = await fetch(this.url);
    const body = await response.text();
    const { data } = JSON.parse(body) as { readonly data?: readonly unknown[] };
    return response.status === 200 && data?.length === 2 ? undefined : `${response.status} ${body.slice(0, 200)}`;
  }
}
